"""Names and media types: shown to people and put into headers, so nothing hides in them."""

import gzip
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.files.naming import SNIFF_BYTES, clean_name, sniff


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        pytest.param("报告 v1.2.pdf", "报告 v1.2.pdf", id="plain"),
        pytest.param("/etc/passwd", "passwd", id="absolute"),
        pytest.param("../../.ssh/id_rsa", "id_rsa", id="climbing"),
        pytest.param("C:\\Users\\a\\b.txt", "b.txt", id="backslashes"),
        pytest.param("a/", "file", id="folder"),
        pytest.param("", "file", id="empty"),
        pytest.param("..", "file", id="dots"),
        pytest.param(".bashrc", "bashrc", id="hidden"),
        pytest.param("invoice\u202efdp.exe", "invoicefdp.exe", id="bidi"),
        pytest.param("a\u200bb\ufeff.txt", "ab.txt", id="zero-width"),
        pytest.param("a\U000e0041\U000e007f.txt", "a.txt", id="tags"),
        pytest.param('a"\r\nX: 1\x00.txt', "a_X_ 1.txt", id="header-break"),
        pytest.param("a.txt. ", "a.txt", id="trailing"),
        pytest.param("e\u0301.txt", "\u00e9.txt", id="composed"),
        pytest.param("\ud800.txt", "txt", id="surrogate"),
        pytest.param("长" * 300 + ".docx", "长" * 65 + ".docx", id="long"),
    ],
)
def test_a_name_keeps_what_a_person_sees(given_name: str, kept: str) -> None:
    """No path, no unseen character, no quotes, and no more than 200 bytes with its suffix."""
    assert clean_name(given_name) == kept


@given(st.text())
def test_any_name_becomes_one_that_is_safe(given_name: str) -> None:
    """For every text: not empty, bounded, one line, no separators, nothing invisible; cleaning again changes nothing."""
    name = clean_name(given_name)

    assert 0 < len(name.encode()) <= 200
    assert not any(c in name for c in '/\\"\r\n\x00') and name not in (".", "..")
    assert not any(unicodedata.category(c).startswith("C") for c in name)
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("head", "name", "said", "media_type"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n", "a.txt", "text/html", "image/png", id="content-wins"),
        pytest.param(b"PK\x03\x04", "a.docx", None, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", id="docx"),
        pytest.param(b"PK\x03\x04", "a.png", "image/png", "application/zip", id="zip-named-png"),
        pytest.param(gzip.compress(b""), "a.json", None, "application/gzip", id="gzip"),
        pytest.param(b"%PDF-1.7", "x", None, "application/pdf", id="pdf"),
        pytest.param(b"RIFF\0\0\0\0WEBPVP8", "x", None, "image/webp", id="webp"),
        pytest.param(b"\0\0\0\x18ftypmp42", "x", None, "video/mp4", id="mp4"),
        pytest.param(b'{"a": 1}', "a.json", None, "application/json", id="json"),
        pytest.param("名,值".encode(), "a.csv", "application/octet-stream", "text/csv", id="csv"),
        pytest.param(b"<script>", "a.txt", "text/html", "text/plain", id="text-is-not-what-is-said"),
        pytest.param(b"\x00\x01", "a.csv", "text/csv", "application/octet-stream", id="binary-is-no-text"),
        pytest.param(b"\x00\x01", "a", "Audio/Opus; rate=1", "audio/opus", id="said"),
        pytest.param(b"\x00\x01", "a", "a/b\r\nX: 1", "application/octet-stream", id="said-with-a-line-break"),
        pytest.param(b"\x00\x01", "a", "image/svg+xml", "application/octet-stream", id="said-script"),
        pytest.param(b"", "a.csv", None, "application/octet-stream", id="empty"),
    ],
)  # fmt: skip
def test_a_media_type_is_what_the_bytes_are(
    head: bytes, name: str, said: str | None, media_type: str
) -> None:
    """The name and the sender only choose among what the content allows."""
    assert sniff(head, name, said) == media_type


@pytest.mark.parametrize("shift", range(4))
def test_text_cut_inside_a_character_is_text(shift: int) -> None:
    """The first bytes may end in the middle of a character."""
    head = (b"a" * shift + "待".encode() * SNIFF_BYTES)[:SNIFF_BYTES]

    assert sniff(head, "a.md", None) == "text/markdown"
