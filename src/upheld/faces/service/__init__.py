"""The whole service: everything that is offered over HTTP put together, and run as a process."""
