"""Staged files: who a handle opens for, what comes back, and what is refused."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from placet.contract.platform import FileContent
from placet.files import FileFault, FileStore, FolderFiles, MemoryFiles, StagedFile, stage_path
from placet.files.handles import Limits

pytestmark = pytest.mark.anyio

posix = pytest.mark.skipif(os.name != "posix", reason="modes and pipes are POSIX")


class Clock:
    def __init__(self) -> None:
        self.now = 4_000_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


LIMITS = Limits(max_bytes=5_000_000, max_total_bytes=8_000_000, ttl_s=100)


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> FileStore:
    if request.param == "memory":
        return MemoryFiles(limits=LIMITS, clock=clock)
    return FolderFiles(tmp_path / "staged", limits=LIMITS, clock=clock)


async def put(store: FileStore, content: bytes = b"content", **changes: str | None) -> StagedFile:
    named: dict[str, str | None] = {"name": "a.bin", "app": "cli_a", "session": "oc_1", **changes}
    return await store.put(content, **named)  # type: ignore[arg-type]


async def opened(
    store: FileStore, handle: str, *, app: str = "cli_a", session: str | None = "oc_1"
) -> FileContent | None:
    return await store.open(handle, app=app, session=session)


@pytest.mark.parametrize(
    "content", [b"", b"x", bytes(range(256)) * 12_000], ids=["empty", "one", "three-megabytes"]
)
async def test_what_was_staged_comes_back(store: FileStore, content: bytes) -> None:
    """Every byte, with its length and digest."""
    staged = await put(store, content)
    found = await opened(store, staged.handle)

    assert found is not None and await found.read() == content
    digest = hashlib.sha256(content).hexdigest()
    assert (found.size, found.sha256, staged.size, staged.sha256) == (
        len(content),
        digest,
        len(content),
        digest,
    )


async def test_a_stream_is_staged_whole(store: FileStore) -> None:
    """Pieces of any size."""

    async def pieces() -> AsyncIterator[bytes]:
        for size in (1, 0, 100_000, 7):
            yield b"x" * size

    staged = await store.put(pieces(), name="a", app="cli_a", session=None)
    found = await opened(store, staged.handle, session=None)

    assert found is not None and await found.read() == b"x" * 100_008


async def test_handles_are_long_and_never_repeat(store: FileStore) -> None:
    """`file_` and at least 128 random bits."""
    handles = {(await put(store)).handle for _ in range(50)}

    assert len(handles) == 50
    assert all(one.startswith("file_") and len(one) - len("file_") >= 26 for one in handles)


@pytest.mark.parametrize(
    ("app", "session", "later_s"),
    [
        pytest.param("cli_b", "oc_1", 0, id="another-app"),
        pytest.param("cli_a", "oc_2", 0, id="another-conversation"),
        pytest.param("cli_a", None, 0, id="no-conversation"),
        pytest.param("cli_a", "", 0, id="empty-conversation"),
        pytest.param("cli_a", "oc_1", 100, id="expired"),
    ],
)
async def test_a_handle_opens_for_nobody_else(
    store: FileStore, clock: Clock, app: str, session: str | None, later_s: float
) -> None:
    """Another app, another conversation and another day see what they would see of a handle that never was."""
    staged = await put(store)
    clock.now += later_s

    assert await opened(store, staged.handle, app=app, session=session) is None
    assert await store.open_all([staged.handle], app=app, session=session) == {}


@pytest.mark.parametrize(
    "handle",
    ["", "file_", "file_" + "a" * 32, "file_" + "A" * 32, "../staged", "/etc/passwd", "file_../../../../etc/passwd", "~/.ssh/id_ed25519", "a\x00b", "file_" + "a" * 100_000],
    ids=lambda text: text[:20].replace("\x00", "NUL") or "empty",
)  # fmt: skip
async def test_a_handle_is_no_path(store: FileStore, handle: str) -> None:
    """Nothing but a handle opens anything."""
    await put(store)

    assert await opened(store, handle) is None


async def test_several_open_together(store: FileStore) -> None:
    """Those that open, by handle; a repeated one once."""
    a, b = await put(store, b"a"), await put(store, b"b", session="oc_2")

    found = await store.open_all([a.handle, b.handle, a.handle, "file_x"], app="cli_a", session="oc_1")

    assert list(found) == [a.handle]


@pytest.mark.parametrize("as_stream", [False, True], ids=["bytes", "stream"])
async def test_a_large_file_is_refused_and_leaves_nothing(
    store: FileStore, tmp_path: Path, as_stream: bool
) -> None:
    """However long it goes on, reading stops at the limit."""
    drawn = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal drawn
        while True:
            drawn += 1
            yield bytes(1_000_000)

    content = endless() if as_stream else bytes(5_000_001)
    with anyio.fail_after(5), pytest.raises(FileFault, match="5000000"):
        await store.put(content, name="a", app="cli_a", session=None)

    assert drawn <= 6
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


async def test_a_full_store_takes_no_more(store: FileStore, tmp_path: Path) -> None:
    """The total is bounded, and room comes back when files expire."""
    await put(store, bytes(4_500_000))

    with pytest.raises(FileFault, match="full"):
        await put(store, bytes(4_500_000))
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) in (0, 2)


async def test_sweeping_deletes_what_has_expired_and_nothing_else(
    store: FileStore, clock: Clock, tmp_path: Path
) -> None:
    """Content and record both go."""
    old = await put(store)
    clock.now += 60
    new = await put(store)
    clock.now += 60

    assert (await store.sweep(), await store.sweep()) == (1, 0)
    assert await opened(store, old.handle) is None
    assert await opened(store, new.handle) is not None
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) in (0, 2)


# The folder


@posix
async def test_the_folder_is_private_and_holds_no_handle(tmp_path: Path) -> None:
    """Modes are 0700 and 0600, and neither names nor records give a handle away."""
    staged = await put(FolderFiles(tmp_path / "staged"))

    assert (tmp_path / "staged").stat().st_mode & 0o777 == 0o700
    for path in (tmp_path / "staged").iterdir():
        assert path.stat().st_mode & 0o777 == 0o600
        assert staged.handle not in path.name and staged.handle.encode() not in path.read_bytes()


@posix
def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    """It is named as the fault, and not mended in silence."""
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open").chmod(0o755)
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "file").touch()

    for name in ("open", "link"):
        with pytest.raises(FileFault):
            FolderFiles(tmp_path / name)
    with pytest.raises(FileExistsError):
        FolderFiles(tmp_path / "file")


async def test_two_processes_share_a_folder(tmp_path: Path) -> None:
    """What one store staged, another over the same folder opens."""
    staged = await put(FolderFiles(tmp_path / "staged"))
    found = await opened(FolderFiles(tmp_path / "staged"), staged.handle)

    assert found is not None and await found.read() == b"content"


@pytest.mark.parametrize("fault", ["changed", "longer", "shorter", "gone", "linked"])
async def test_a_swapped_file_is_not_read(tmp_path: Path, fault: str) -> None:
    """Between the yes and the send the bytes are compared with what was staged."""
    store = FolderFiles(tmp_path / "staged")
    found = await opened(store, (await put(store)).handle)
    (content,) = (tmp_path / "staged").glob("*.bin")
    match fault:
        case "changed":
            content.write_bytes(b"CONTENT")
        case "longer":
            content.write_bytes(b"content and more")
        case "shorter":
            content.write_bytes(b"con")
        case "gone":
            content.unlink()
        case "linked":
            (tmp_path / "same").write_bytes(b"content")
            content.unlink()
            content.symlink_to(tmp_path / "same")

    assert found is not None
    with pytest.raises(FileFault):
        await found.read()


async def test_what_a_crash_left_is_swept(tmp_path: Path, clock: Clock) -> None:
    """Content without a record opens for nobody, and goes after an hour."""
    store = FolderFiles(tmp_path / "staged", clock=clock)
    staged = await put(store)
    (record,) = (tmp_path / "staged").glob("*.json")
    record.rename(record.with_suffix(".new"))

    assert await opened(store, staged.handle) is None
    assert await store.sweep() == 1
    assert list((tmp_path / "staged").iterdir()) == []


async def test_a_damaged_record_opens_nothing(tmp_path: Path) -> None:
    """Half a record is no record."""
    store = FolderFiles(tmp_path / "staged")
    staged = await put(store)
    (record,) = (tmp_path / "staged").glob("*.json")
    record.write_bytes(record.read_bytes()[:-5])

    assert await opened(store, staged.handle) is None


async def test_a_cancelled_staging_leaves_nothing(tmp_path: Path) -> None:
    """The half that was written goes with the call."""
    started = asyncio.Event()

    async def stalls() -> AsyncIterator[bytes]:
        yield b"half"
        started.set()
        await asyncio.Event().wait()

    store = FolderFiles(tmp_path / "staged")
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: store.put(stalls(), name="a", app="cli_a", session=None))
            await started.wait()
            group.cancel_scope.cancel()

    assert list((tmp_path / "staged").iterdir()) == []


# A person's path, at a door


async def test_a_persons_file_is_copied(store: FileStore, tmp_path: Path) -> None:
    """Later changes of the file do not reach what was staged."""
    path = tmp_path / "报告.txt"
    path.write_bytes(b"first")
    staged = await stage_path(store, path, app="cli_a", session=None)
    path.write_bytes(b"other")

    found = await opened(store, staged.handle, session=None)
    assert found is not None and (found.name, await found.read()) == ("报告.txt", b"first")


@pytest.mark.parametrize(
    "kind", ["missing", "folder", pytest.param("pipe", marks=posix), pytest.param("device", marks=posix)]
)
async def test_only_plain_files_are_staged(store: FileStore, tmp_path: Path, kind: str) -> None:
    """A folder, a pipe that never ends and a device are refused at once; the sentence holds no path."""
    path = tmp_path / "secretname"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "device":
            path = Path("/dev/zero")

    with anyio.fail_after(5), pytest.raises(FileFault) as caught:
        await stage_path(store, path, app="cli_a", session=None)
    assert str(path) not in str(caught.value)
