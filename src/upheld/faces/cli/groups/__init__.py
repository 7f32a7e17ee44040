"""Commands that stand together under a name of their own: `af` and `ledger`."""
