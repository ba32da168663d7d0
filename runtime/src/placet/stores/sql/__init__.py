"""Stores in SQL. SQLAlchemy Core states tables, statements and migrations; the drivers' own cursors run the text.

Each statement is compiled once per dialect and each operation is one function over a `Session`, so SQLite and
PostgreSQL run the same code. A `Lane` is a thread that owns one connection: what waits is applied in one
transaction, each caller's part under its own savepoint, and answers leave after the commit.
"""
