"""How a request reaches a server: on what terms it is asked, how long it is waited for, and what a failure means."""
