"""What comes in and goes out over HTTP, as pydantic models: their fields are the fields of the values behind them."""
