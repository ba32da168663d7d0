"""Verification: whatever is done to the chains, it is found, and said by chain and sequence number."""

import json
import sqlite3
from pathlib import Path

import anyio
import pytest

from placet.audit import Verification, anchor, exported, parse_anchor, tail, verify
from placet.audit.reading import AnchorUnreadable
from placet.contract.stores import AppendAudit, AuditEntry
from placet.stores import ChainKeys, OpenTruth, open_store, open_trail
from placet.stores.chain import GENESIS, Chain, Head, record_mac
from tests.runtime.stores.asking import KEYS, SECRET, audited

pytestmark = pytest.mark.anyio

OTHER = ChainKeys([b"another key, of the next half year !"])
RECORDS = 9


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'placet.db'}"


async def opened(url: str, keys: ChainKeys = KEYS, **options: float) -> OpenTruth:
    truth, shared = open_store(url, keys=keys, **options)  # type: ignore[arg-type] # anchor_records is an int
    await shared.close()
    return truth


async def written(url: str, count: int, keys: ChainKeys = KEYS) -> str:
    """A closed chain with that many records before its last; returns its id."""
    truth = await opened(url, keys)
    ((chain, _),) = await truth.apply(audited(call_id="1"))
    for number in range(2, count + 1):
        await truth.apply(audited(call_id=str(number)))
    await truth.close()
    return str(chain)


def verified(url: str, keys: ChainKeys = KEYS, outside: tuple[Head, ...] = ()) -> Verification:
    trail = open_trail(url)
    try:
        return verify(trail, keys, outside=outside)
    finally:
        trail.close()


def tampered(url: str, *statements: str) -> None:
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


async def test_chains_as_they_were_written_are_whole(url: str) -> None:
    """Two writers one after the other leave no fault, and the second vouches for the first."""
    first = await written(url, 3)
    second = await written(url, 2)

    found = verified(url)

    assert found.is_whole
    reports = {chain.chain: chain for chain in found.chains}
    assert (reports[first].records, reports[first].is_closed, reports[first].anchored_to) == (4, True, 4)
    assert (reports[second].records, reports[second].is_closed, reports[second].anchored_to) == (4, True, 0)
    assert reports[first].key_ids == (KEYS.signing.id,)


SWAP = (
    "UPDATE placet_audit SET seq = 999 WHERE seq = {0}",
    "UPDATE placet_audit SET seq = {0} WHERE seq = {1}",
    "UPDATE placet_audit SET seq = {1} WHERE seq = 999",
)
BODY = "CAST(replace(CAST(body AS TEXT), '{0}', '{1}') AS BLOB)"


@pytest.mark.parametrize(
    ("statements", "faults"),
    [
        pytest.param(
            [f"UPDATE placet_audit SET body = {BODY.format('notes.write', 'notes.wipes')} WHERE seq = 4"],
            [(4, 4, "altered")],
            id="a-body-is-changed",
        ),
        pytest.param(
            ["UPDATE placet_audit SET mac = zeroblob(32) WHERE seq = 4"],
            [(4, 4, "altered"), (5, 5, "altered")],
            id="a-mac-is-changed",
        ),
        pytest.param(
            ["UPDATE placet_audit SET mac = zeroblob(32) WHERE seq = 10"],
            [(10, 10, "altered")],
            id="the-last-mac-is-changed",
        ),
        pytest.param(
            [f"UPDATE placet_audit SET body = {BODY.format('u_1', 'u_2')}"],
            [(number, number, "altered") for number in range(1, 10)],
            id="every-body-is-changed",
        ),
        pytest.param(["DELETE FROM placet_audit WHERE seq = 4"], [(4, 4, "missing")], id="one-is-missing"),
        pytest.param(
            ["DELETE FROM placet_audit WHERE seq BETWEEN 4 AND 6"],
            [(4, 6, "missing")],
            id="three-are-missing",
        ),
        pytest.param(
            ["DELETE FROM placet_audit WHERE seq = 1"], [(1, 1, "missing")], id="the-first-is-missing"
        ),
        pytest.param(
            [
                "DELETE FROM placet_audit WHERE seq = 4",
                "UPDATE placet_audit SET seq = seq - 100 WHERE seq > 4",
                "UPDATE placet_audit SET seq = seq + 99 WHERE seq < 0",
            ],
            [(number, number, "altered") for number in range(4, 10)],
            id="one-is-missing-and-the-rest-is-renumbered",
        ),
        pytest.param(
            [statement.format(4, 5) for statement in SWAP],
            [(4, 4, "moved"), (5, 5, "moved")],
            id="neighbours-are-swapped",
        ),
        pytest.param(
            [statement.format(3, 7) for statement in SWAP],
            [(3, 3, "moved"), (7, 7, "moved")],
            id="distant-ones-are-swapped",
        ),
        pytest.param(
            ["UPDATE placet_audit SET key_id = 'ffffffffffffffff' WHERE seq = 4"],
            [(4, 4, "unknown_key")],
            id="a-key-id-is-changed",
        ),
        pytest.param(
            [
                """INSERT INTO placet_audit (chain, seq, key_id, body, mac)
                SELECT chain, 11, key_id, body, mac FROM placet_audit WHERE seq = 4"""
            ],
            [(11, 11, "after_close"), (11, 11, "altered")],
            id="a-copy-stands-behind-the-end",
        ),
        pytest.param(["DELETE FROM placet_audit"], [(1, 1, "cut")], id="all-are-gone"),
        pytest.param(
            ["UPDATE placet_audit SET body = x'FF00FF' WHERE seq = 4"],
            [(4, 4, "altered")],
            id="a-body-is-garbage",
        ),
        pytest.param(
            ["UPDATE placet_audit SET mac = x'' WHERE seq = 4"],
            [(4, 4, "altered"), (5, 5, "altered")],
            id="a-mac-is-empty",
        ),
    ],
)
async def test_what_was_done_to_one_chain_is_found(
    url: str, statements: list[str], faults: list[tuple[int, int, str]]
) -> None:
    """Each kind of tampering is reported with its kind and its place."""
    chain = await written(url, RECORDS)
    tampered(url, *statements)

    found = verified(url)

    assert [(fault.chain, fault.seq, fault.last, fault.kind) for fault in found.faults] == [
        (chain, *fault) for fault in faults
    ]


@pytest.mark.parametrize("keep", [9, 5, 0], ids=["its-last-record", "half-of-it", "all-of-it"])
async def test_a_cut_tail_is_missed_by_the_next_writer(url: str, keep: int) -> None:
    """Another chain has seen the head that is gone, even when the cut chain's row is gone too."""
    first = await written(url, RECORDS)
    await written(url, 1)
    tampered(url, f"DELETE FROM placet_audit WHERE chain = '{first}' AND seq > {keep}")
    if keep == 0:
        tampered(url, f"DELETE FROM placet_chains WHERE chain = '{first}'")

    found = verified(url)

    assert [(fault.chain, fault.seq, fault.last, fault.kind) for fault in found.faults] == [
        (first, keep + 1, 10, "cut")
    ]


async def test_two_writers_vouch_for_each_other_while_they_run(url: str) -> None:
    """Every few records each writes down how far it saw the other come; a cut behind that is found."""
    one, other = await opened(url, anchor_records=4), await opened(url, anchor_records=4)
    for _ in range(10):
        ((first, _),) = await one.apply(audited())
        ((second, _),) = await other.apply(audited())
    whole = verified(url)
    seen = {chain.chain: chain.anchored_to for chain in whole.chains}
    tampered(url, f"DELETE FROM placet_audit WHERE chain = '{second}' AND seq > 3")
    cut = verified(url)
    await one.close()
    await other.close()

    assert whole.is_whole
    assert seen[first] >= 6 and seen[second] >= 6
    assert [(fault.chain, fault.seq, fault.last, fault.kind) for fault in cut.faults] == [
        (second, 4, seen[second], "cut")
    ]


async def test_a_writer_that_goes_on_after_a_cut_shows_the_gap(url: str) -> None:
    """Records that vanish under a running writer are missing from its chain."""
    truth = await opened(url)
    for _ in range(5):
        ((chain, _),) = await truth.apply(audited())
    tampered(url, "DELETE FROM placet_audit WHERE seq > 2")
    await truth.apply(audited())
    await truth.close()

    found = verified(url)

    assert [(fault.chain, fault.seq, fault.last, fault.kind) for fault in found.faults] == [
        (chain, 3, 5, "missing")
    ]


async def test_an_anchor_kept_outside_finds_what_no_chain_saw(url: str) -> None:
    """A single writer's cut tail, or its whole database set back, shows against the file."""
    chain = await written(url, RECORDS)
    trail = open_trail(url)
    kept = anchor(trail, at=1796080229.5)
    trail.close()
    tampered(url, "DELETE FROM placet_audit WHERE seq > 6")

    blind = verified(url)
    found = verified(url, outside=parse_anchor(f"\n{kept}\n"))

    assert blind.is_whole
    assert [(fault.chain, fault.seq, fault.last, fault.kind) for fault in found.faults] == [
        (chain, 7, 10, "cut")
    ]


async def test_another_history_under_the_same_numbers_is_found(url: str) -> None:
    """Whoever holds the key can sign a new history, but not make an anchor forget the old one."""
    await written(url, 3)
    trail = open_trail(url)
    (chain,) = trail.chains()
    heads = parse_anchor(anchor(trail, at=1.0))
    trail.close()
    forged = Chain(chain, KEYS.signing)
    records = [forged.append(audited(call_id=f"forged {number}").entry) for number in range(4)]
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    for record in records:
        connection.execute(
            "UPDATE placet_audit SET body = ?, mac = ? WHERE seq = ?", (record.body, record.mac, record.seq)
        )
    connection.commit()
    connection.close()

    found = verified(url, outside=heads)

    assert [(fault.seq, fault.kind) for fault in found.faults] == [(4, "replaced")]


async def test_an_anchor_is_believed_only_when_it_is_signed(url: str) -> None:
    """A forged anchor accuses nobody: it is itself the fault."""
    await written(url, 3)
    await written(url, 1)
    tampered(
        url,
        f"UPDATE placet_audit SET body = {BODY.format(',4,', ',400,')} WHERE CAST(body AS TEXT) LIKE '%anchor%'",
    )

    found = verified(url)

    assert {fault.kind for fault in found.faults} == {"altered"}


async def test_keys_can_be_exchanged(url: str) -> None:
    """A new first key signs from then on; old records verify as long as the old key is configured."""
    await written(url, 2)
    await written(url, 2, ChainKeys([b"another key, of the next half year !", SECRET]))

    both = verified(url, ChainKeys([b"another key, of the next half year !", SECRET]))
    only_new = verified(url, OTHER)

    assert both.is_whole
    assert {key for chain in both.chains for key in chain.key_ids} == {KEYS.signing.id, OTHER.signing.id}
    assert {fault.kind for fault in only_new.faults} == {"unknown_key"}


async def test_an_idle_writer_vouches_by_the_clock_and_falls_silent(url: str) -> None:
    """After its interval it records others' news once; anchors alone are no news, so two idle writers end."""
    one = await opened(url, anchor_s=0.05)
    other = await opened(url, anchor_s=0.05)
    ((first, _),) = await one.apply(audited())
    ((second, _),) = await other.apply(audited())
    ((_, last),) = await one.apply(audited())

    with anyio.fail_after(10):
        while {chain.chain: chain.anchored_to for chain in verified(url).chains}[first] < last:
            await anyio.lowlevel.checkpoint()
    await one.close()
    await other.close()
    found = verified(url)

    assert found.is_whole
    assert sum(chain.records for chain in found.chains) < 20
    assert {chain.chain for chain in found.chains} == {first, second}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("not json", "line 1"),
        ('{"version": 1, "at": 1.0, "heads": [{"chain": "c"}]}', "line 1"),
        ('\n{"version": 2, "at": 1.0, "heads": []}', "version 2"),
        ('{"version": 1, "at": 1.0, "heads": [], "more": 1}', "line 1"),
    ],
)
def test_a_file_that_is_no_anchor_is_refused(text: str, reason: str) -> None:
    """A wrong file does not pass for one without heads."""
    with pytest.raises(AnchorUnreadable, match=reason):
        parse_anchor(text)


async def test_the_tail_shows_the_last_records_of_all_chains(url: str) -> None:
    """Oldest first, with the entries as they were."""
    await written(url, 2)
    trail = open_trail(url)
    shown = tail(trail, 2)
    trail.close()

    assert [record["seq"] for record in shown] == [2, 3]
    assert shown[0]["entry"]["call_id"] == "2" and shown[0]["entry"]["details"] == {"a": ["字"], "b": 1}
    assert shown[1]["entry"]["event"] == "closed"


MISFITS = [
    "body = CAST(body AS TEXT)", "mac = 'abc'", "mac = 5", "seq = 'x'", "seq = 2.5", "key_id = x'ff'", "chain = x'ff'",
    "chain = CAST(x'ff' AS TEXT)", "body = CAST(x'ff' AS TEXT)", "body = 7",
]  # fmt: skip


@pytest.mark.parametrize("change", MISFITS)
async def test_a_row_that_is_no_record_is_a_fault_with_its_place(url: str, change: str) -> None:
    """SQLite keeps any type in any column: reading goes on behind it, in every command."""
    chain = await written(url, 4)
    tampered(url, f"UPDATE placet_audit SET {change} WHERE seq = 2")
    found = verified(url)
    trail = open_trail(url)
    shown, lines = tail(trail, 10), [json.loads(line) for line in exported(trail)]
    heads = parse_anchor(anchor(trail, at=1.0))
    trail.close()
    await written(url, 1)

    assert not found.is_whole
    assert any(fault.kind in ("misfit", "altered", "missing") for fault in found.faults)
    assert next(one for one in found.chains if one.chain == chain).last_seq == 5
    # A chain whose name is no Unicode is one that nobody can ask for: its records are missing from the other.
    assert (len(shown), len(lines)) == (5, 4 if "chain = CAST" in change else 5)
    assert chain in [head.chain for head in heads]


async def test_many_rows_without_a_number_are_all_told(url: str) -> None:
    """Neither a page of them nor more hides what else is there."""
    await written(url, 2100)
    tampered(url, "UPDATE placet_audit SET seq = 'x' || seq WHERE seq > 50 AND seq < 2090")
    found = verified(url)

    assert sum(fault.kind == "misfit" for fault in found.faults) == 2039
    assert found.chains[0].records == 2101


async def test_the_export_can_be_verified_elsewhere(url: str) -> None:
    """Each line holds the exact text that its MAC covers."""
    await written(url, 3)
    trail = open_trail(url)
    lines = [json.loads(line) for line in exported(trail)]
    trail.close()

    previous = GENESIS
    for line in lines:
        mac = record_mac(
            KEYS.signing, previous=previous, chain=line["chain"], seq=line["seq"], body=line["body"].encode()
        )
        assert mac.hex() == line["mac"]
        previous = mac
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]


async def test_a_long_chain_is_read_in_pages(url: str) -> None:
    """More records than one page holds are all verified."""
    truth = await opened(url)
    for _ in range(5):
        await truth.apply(*(audited() for _ in range(500)))
    await truth.close()
    whole = verified(url)
    tampered(url, "UPDATE placet_audit SET mac = zeroblob(32) WHERE seq = 2001")

    assert whole.is_whole and whole.chains[0].records == 2501
    assert [fault.seq for fault in verified(url).faults] == [2001, 2002]


async def test_an_entry_of_a_host_cannot_break_verification(url: str) -> None:
    """An anchor or end that a host wrote by hand, whatever it holds, leads to a report and not to an exception."""
    truth = await opened(url)
    for event, details in (
        ("anchor", {"heads": "all"}),
        ("anchor", {}),
        ("anchor", {"heads": [["c", "x", 1]]}),
    ):
        await truth.apply(
            AppendAudit(
                entry=AuditEntry(
                    at=1.0, event=event, call_id="", tenant="", tool="", actor="", details=details
                )
            )
        )
    await truth.close()

    assert [fault.seq for fault in verified(url).faults] == [1, 3]
