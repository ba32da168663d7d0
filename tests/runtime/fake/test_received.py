"""What is recorded is what was on the wire, decoded without guessing."""

import pytest

from placet.platforms.feishu.fake.received import Part, Received


def received(raw_path: str = "/a", headers: dict[str, str] | None = None, body: bytes = b"") -> Received:
    return Received(number=1, at=0.0, method="POST", raw_path=raw_path, headers=headers or {}, body=body)


def test_an_encoded_slash_stays_inside_its_segment() -> None:
    """Segments are decoded one by one, and query pairs keep their order and their empty values."""
    one = received("/a%2Fb/%E6%B1%89?x=1&y=&x=%2B+2")

    assert one.segments == ("a/b", "汉")
    assert one.query == (("x", "1"), ("y", ""), ("x", "+ 2"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(b'filename="\xe6\xb1\x89 %22a%22.txt"', id="as-browsers-do"),
        pytest.param(b"filename*=utf-8''%E6%B1%89%20%22a%22.txt", id="extended"),
    ],
)
def test_multipart_parts_are_read_to_the_byte(name: bytes) -> None:
    """Content with line ends and dashes survives, and both forms of a file's name mean the same."""
    body = (
        b'--XX\r\nContent-Disposition: form-data; name="size"\r\n\r\n7\r\n'
        b'--XX\r\nContent-Disposition: form-data; name="file"; ' + name + b"\r\n"
        b"Content-Type: text/plain\r\n\r\n\r\n--X\n\r\n\r\n--XX--\r\n"
    )
    one = received(headers={"content-type": "multipart/form-data; boundary=XX"}, body=body)

    assert one.parts == (
        Part(name="size", content=b"7"),
        Part(name="file", content=b"\r\n--X\n\r\n", file_name='汉 "a".txt', media_type="text/plain"),
    )
