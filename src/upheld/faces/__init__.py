"""Who is asking? The command line, the report and whatever else faces people and programs."""
