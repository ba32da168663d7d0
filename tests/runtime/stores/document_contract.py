"""What every store of documents promises."""

import secrets
from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from placet.contract.documents import Document, ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import StoreError
from tests.runtime.stores.truth_contract import UNKEEPABLE

__all__ = ["DocumentContract"]


def document(**more: Any) -> Document:
    chosen: dict[str, Any] = {
        "kind": f"kind {secrets.token_hex(6)}",
        "id": "a",
        "tenant": "cli_a",
        "body": b"\x00\xff",
    }
    return Document(**{**chosen, **more})


def inserted(one: Document) -> SwapDocument:
    return SwapDocument(kind=one.kind, id=one.id, version=0, document=one)


@pytest.mark.anyio
class DocumentContract:
    """A subclass has a fixture `store` with an open truth store."""

    async def test_a_document_moves_one_version_at_a_time(self, store: Any) -> None:
        """What moved meanwhile is not overwritten."""
        one = document(group="g", state="new", due_at=5.0)
        two = replace(one, state="old", due_at=None, version=2, body=b"2")

        async def swap(version: int, new: Document | None) -> bool:
            (done,) = await store.apply(SwapDocument(kind=one.kind, id=one.id, version=version, document=new))
            return bool(done)

        answers = [await swap(*step) for step in ((1, one), (0, one), (0, two), (2, two), (1, two), (1, two))]
        (kept,) = await store.apply(LookUpDocument(kind=one.kind, id=one.id))
        gone = [await swap(*step) for step in ((1, None), (2, None), (2, None), (0, None))]
        (none,) = await store.apply(LookUpDocument(kind=one.kind, id=one.id))

        assert answers == [False, True, False, False, True, False]
        assert kept == two
        assert gone == [False, True, False, False]
        assert none is None

    async def test_documents_are_listed_by_what_they_say(self, store: Any) -> None:
        """By tenant, group, state and time; another kind is another world."""
        kind = document().kind
        rows = [
            document(kind=kind, id="a", group="g", state="x", due_at=3.0),
            document(kind=kind, id="b", group="g", state="y", due_at=1.0),
            document(kind=kind, id="c", group="h", state="x"),
            document(kind=kind, id="d", tenant="cli_b", state="x", due_at=2.0),
        ]
        for row in [*rows, document(id="e")]:
            await store.apply(inserted(row))

        async def ids(**asked: Any) -> str:
            (found,) = await store.apply(ListDocuments(kind=kind, **asked))
            return "".join(one.id for one in found)

        assert await ids() == "abcd"
        assert await ids(tenant="cli_a") == "abc"
        assert await ids(group="g") == "ab"
        assert await ids(states=("x",)) == "acd"
        assert await ids(states=("x", "y"), tenant="cli_a") == "abc"
        assert await ids(states=()) == ""
        assert await ids(due_by=2.0) == "bd"
        assert await ids(due_by=9.0, most=1) == "b"

    async def test_what_fails_beside_a_document_undoes_it(self, store: Any) -> None:
        """A tuple is applied together or not at all."""
        one = document()

        with pytest.raises(StoreError):
            await store.apply(inserted(one), UNKEEPABLE)
        (kept,) = await store.apply(LookUpDocument(kind=one.kind, id=one.id))

        assert kept is None

    async def test_of_many_swaps_at_once_one_wins_each_version(self, store: Any) -> None:
        """No step is lost and none is taken twice."""
        one = document(body=b"0")
        await store.apply(inserted(one))

        async def count() -> None:
            for _ in range(60):
                (kept,) = await store.apply(LookUpDocument(kind=one.kind, id=one.id))
                more = replace(kept, body=b"%d" % (int(kept.body) + 1), version=kept.version + 1)
                swap = SwapDocument(kind=one.kind, id=one.id, version=kept.version, document=more)
                if (await store.apply(swap))[0]:
                    return

        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(count)
        (kept,) = await store.apply(LookUpDocument(kind=one.kind, id=one.id))

        assert (kept.body, kept.version) == (b"12", 13)
