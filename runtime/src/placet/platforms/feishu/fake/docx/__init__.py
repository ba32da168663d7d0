"""Documents with a state: trees of blocks, which are items of the drive as well."""

from placet.platforms.feishu.fake.docx.handlers import handlers
from placet.platforms.feishu.fake.docx.state import Document, Docx

__all__ = ["Document", "Docx", "handlers"]
