"""Files behind handles: a model names a file, and never a path or its bytes.

A door or a download stages content; the gate opens it for the same app and conversation, until it expires.
"""

from placet.files.handles import FileFault, FileStore, StagedFile
from placet.files.stores import FolderFiles, MemoryFiles, stage_path

__all__ = ["FileFault", "FileStore", "FolderFiles", "MemoryFiles", "StagedFile", "stage_path"]
