"""Files inside JSON bodies."""

import pytest

from placet.contract.binding import Binding, Call, Slot
from placet.contract.platform import Codec, FileContent
from placet.encoding import Encoder, Filling
from placet.inlining import inlined

pytestmark = pytest.mark.anyio

CALL = Call(sdk="x.v1.y.recognise", http="POST", route="/x", body="json")
BINDING = Binding(
    calls=(CALL,),
    slots=(
        Slot(argument="image", to=("body.image.data",), type="file", wire="base64"),
        Slot(argument="language", to=("body.language",)),
    ),
)


def _codec(name: str) -> Codec:
    raise AssertionError(f"no codec {name!r} is needed")


def _derive(name: str, value: object) -> str:
    raise AssertionError(f"no derivation {name!r} is needed")


async def _bytes() -> bytes:
    return b"\x00\xffpng"


PICTURE = FileContent(name="a.png", media_type="image/png", size=5, sha256="", read=_bytes)


async def test_a_file_of_a_body_travels_as_text() -> None:
    """Its bytes are read when the request is sent, and stand in the body as base64."""
    encoder = Encoder(BINDING, _codec, _derive)
    arguments = {"image": "file_1", "language": "zh"}

    (wire,) = encoder.complete(
        encoder.draft(arguments), arguments, Filling(files={"file_1": PICTURE})
    ).values()
    sent = await inlined(wire)

    assert wire.body == {"image": {"data": PICTURE}, "language": "zh"}
    assert sent.body == {"image": {"data": "AP9wbmc="}, "language": "zh"}


async def test_a_body_without_files_stays_what_it_is() -> None:
    """Nothing is copied where nothing is inlined."""
    encoder = Encoder(BINDING, _codec, _derive)
    arguments = {"language": "zh"}
    (wire,) = encoder.complete(encoder.draft(arguments), arguments, Filling()).values()

    assert await inlined(wire) is wire
