"""Form bodies: what was staged arrives, under names that stay names."""

import asyncio
from email.message import Message
from email.parser import BytesParser
from urllib.parse import parse_qsl

import anyio
import pytest

from placet.contract.platform import FileContent, FilePart, HttpRequest, Tenant
from placet.transport import TransportError, TransportReason
from placet.transport.bodies import encoded_form
from placet.transport.pool import Transport
from tests.runtime.transport.loopback import Loopback, answer, read_request, serve, tenant

pytestmark = pytest.mark.anyio


def part(name: str, content: bytes, *, size: int | None = None, media_type: str = "text/plain") -> FilePart:
    async def read() -> bytes:
        return content

    staged = FileContent(
        name=name,
        media_type=media_type,
        size=len(content) if size is None else size,
        sha256="0" * 64,
        read=read,
    )
    return FilePart(name=name, content=staged)


def form(*pairs: tuple[str, str | FilePart], multipart: bool = True) -> HttpRequest:
    return HttpRequest(method="POST", url="http://127.0.0.1/x", headers={}, form=pairs, multipart=multipart)


async def parts_of(call: HttpRequest) -> list[Message]:
    body, content_type = await encoded_form(call)
    message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
    assert message.is_multipart()
    return list(message.get_payload())


async def test_a_file_and_its_fields_arrive_in_order() -> None:
    """Names, the file's name, its media type and every byte."""
    content = bytes(range(256)) + b"\r\n--x--\r\n"
    fields, file = await parts_of(
        form(("parent", "待办"), ("file", part("报告.bin", content, media_type="image/png")))
    )

    assert (fields.get_param("name", header="content-disposition"), fields.get_payload(decode=True)) == (
        "parent",
        "待办".encode(),
    )
    assert (file.get_content_type(), file.get_payload(decode=True)) == ("image/png", content)
    assert "报告.bin".encode() in (await encoded_form(form(("f", part("报告.bin", b"")))))[0]


@pytest.mark.parametrize(
    "name",
    [
        'a"; filename="evil',
        'x"\r\nContent-Type: text/html\r\n\r\n<script>',
        "a\nb",
        "a\rb",
        "a\x00b",
        'a\\"b',
    ],
)
async def test_a_name_cannot_break_out(name: str) -> None:
    """A hostile name adds no header, no parameter and no part."""
    (file,) = await parts_of(form(("file", part(name, b"content"))))
    (field,) = await parts_of(form((name, "value")))

    assert file.keys() == ["Content-Disposition", "Content-Type"]
    assert (file.get_content_type(), file.get_payload(decode=True)) == ("text/plain", b"content")
    assert field.keys() == ["Content-Disposition"]
    disposition = field["Content-Disposition"]
    assert isinstance(disposition, str) and disposition.count(";") <= 1 + name.count(";")
    assert "\n" not in disposition and disposition.count('"') == 2


async def test_a_media_type_cannot_break_out() -> None:
    """A media type with a line break becomes the plain one."""
    (file,) = await parts_of(form(("file", part("a", b"x", media_type="a/b\r\nX: 1"))))

    assert file.get_content_type() == "application/octet-stream"


async def test_a_boundary_is_new_for_every_body() -> None:
    """Content cannot foresee it."""
    assert (await encoded_form(form(("a", "b"))))[1] != (await encoded_form(form(("a", "b"))))[1]


async def test_a_urlencoded_form_round_trips() -> None:
    """Pairs keep their order and repeat."""
    pairs = (("a", "1 2&3=4"), ("a", ""), ("名", "值\r\n"))
    body, content_type = await encoded_form(form(*pairs, multipart=False))

    assert content_type == "application/x-www-form-urlencoded"
    assert parse_qsl(body.decode(), keep_blank_values=True) == list(pairs)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(form(("file", part("a", b"x")), multipart=False), id="file-in-urlencoded"),
        pytest.param(form(("file", part("a", b"swapped", size=2))), id="not-the-staged-length"),
        pytest.param(
            HttpRequest(method="POST", url="http://127.0.0.1/x", headers={}, body=b"x", form=(("a", "b"),)),
            id="body-and-form",
        ),
    ],
)
async def test_a_body_that_is_not_what_was_staged_is_not_sent(call: HttpRequest) -> None:
    """It is refused before a connection is made."""
    transport = Transport(lambda _: "http://127.0.0.1")
    with pytest.raises(TransportError) as caught:
        await transport.send(call, tenant(None), deadline_s=1)
    await transport.close()

    assert (caught.value.sent, caught.value.reason) == (False, TransportReason.REQUEST)


async def test_an_upload_has_a_length_and_one_content_type() -> None:
    """On the wire the form's own content type replaces one that was given, and the length is stated."""
    base: list[str] = []

    def base_url(_: Tenant) -> str:
        return base[0]

    async def takes(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(answer())
        await writer.drain()

    content = bytes(3_000_000)
    transport = Transport(base_url)
    async with serve(takes) as here:
        base.append(here.base)
        call = HttpRequest(
            method="POST", url=here.base + "/up", headers={"content-type": "application/json"},
            form=(("file", part("a.bin", content)),), multipart=True,
        )  # fmt: skip
        with anyio.fail_after(5):
            await transport.send(call, tenant(None), deadline_s=5)
    await transport.close()

    (got,) = here.requests
    (content_type,) = got.header("content-type")
    assert content_type.startswith("multipart/form-data; boundary=")
    assert got.header("content-length") == [str(len(got.body))]
    assert content in got.body
