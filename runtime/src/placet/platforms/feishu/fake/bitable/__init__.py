"""Bitable with a state: bases, tables, fields, records and views."""

from placet.platforms.feishu.fake.bitable.handlers import handlers
from placet.platforms.feishu.fake.bitable.state import Base, Bitable, Field, Record, Table, View

__all__ = ["Base", "Bitable", "Field", "Record", "Table", "View", "handlers"]
