"""Spreadsheets with a state: sheets, cells, filters and dropdowns."""

from placet.platforms.feishu.fake.sheets.handlers import handlers
from placet.platforms.feishu.fake.sheets.state import Sheet, Sheets, Spreadsheet

__all__ = ["Sheet", "Sheets", "Spreadsheet", "handlers"]
