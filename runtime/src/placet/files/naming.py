"""A file's name and media type, from what others say about it: both are shown to people and put into headers."""

import re
import unicodedata

__all__ = ["SNIFF_BYTES", "clean_name", "sniff"]

SNIFF_BYTES = 4096

_MAX_NAME_BYTES = 200
_MAX_SUFFIX_BYTES = 20
_NOT_ALLOWED = re.compile(r'[<>:"|?*]')
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,60}/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}\Z")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_IN_ZIP = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
_IN_OLE = {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
}
_IN_TEXT = {
    ".csv": "text/csv",
    ".htm": "text/html",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def clean_name(given: str) -> str:
    """The last part of a path, without control, bidi, zero-width and tag characters; `file` when nothing is left."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    seen = "".join(c for c in last if unicodedata.category(c) not in _UNSEEN)
    name = _NOT_ALLOWED.sub("_", seen).strip(" .")
    if not name:
        return "file"
    stem, suffix = _split(name)
    while len((stem + suffix).encode()) > _MAX_NAME_BYTES:
        stem = stem[:-1]
    return stem.rstrip(" .") + suffix if stem.strip(" .") else "file" + suffix


def sniff(head: bytes, name: str, said: str | None) -> str:
    """The media type by the content's first bytes; the name and `said` only choose among what those allow."""
    suffix = _split(name)[1].lower()
    for magic, found in _MAGIC:
        if head.startswith(magic):
            if found == "application/zip":
                return _IN_ZIP.get(suffix, found)
            return _IN_OLE.get(suffix, found) if found == "application/x-ole-storage" else found
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return "audio/mp4" if head[8:11] == b"M4A" else "video/mp4"
    if _is_text(head):
        return _IN_TEXT.get(suffix, "text/plain")
    plain = (said or "").partition(";")[0].strip().lower()
    if _MEDIA_TYPE.match(plain) and not plain.startswith(("text/", "image/svg", "multipart/")):
        return plain
    return "application/octet-stream"


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        # The cut may fall inside a character.
        if len(head) < SNIFF_BYTES or error.start < len(head) - 3:
            return False
        text = head[: error.start].decode()
    return bool(text) and not any(ord(c) < 32 and c not in "\t\n\r\f" for c in text)


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem or not 0 < len(suffix.encode()) <= _MAX_SUFFIX_BYTES:
        return name, ""
    return stem, "." + suffix
