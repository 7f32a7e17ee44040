"""A ledger in a Postgres database, one schema a tenant; needs the extra ``postgres``."""

from importlib.util import find_spec

from upheld.errors import MissingExtra

if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
    raise MissingExtra("postgres", needed_for="a ledger in Postgres")
