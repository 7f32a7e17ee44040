"""Words held against the engine: an interpreter is asked, objected to, asked again, and what it means is accepted."""
