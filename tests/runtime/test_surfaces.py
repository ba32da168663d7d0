"""Finding tool packs: which are found, and which are refused and how."""

from pathlib import Path

import pytest

from placet.contract import CONTRACT, Identity, Risk, Scopes, Source, Surface, ToolEntry
from placet.surfaces import (
    GROUP,
    BrokenSurface,
    DuplicateSurface,
    UnknownContract,
    accept,
    installed_surfaces,
)


def surface(name: str, *, contract: int = CONTRACT, package: str = "acme_tools") -> Surface:
    tool = ToolEntry(
        name="notes.get",
        wire_name="notes_get",
        domain="notes",
        risk=Risk.READ,
        identity=(Identity.TENANT,),
        scopes=Scopes(any_of=("notes:read",)),
        source=Source(sdk="notes.get", http="GET", route="/notes/:id"),
        summary="Read one note.",
        target="acme_tools.notes:GET",
        digest="0" * 64,
    )
    return Surface(
        name=name, package=package, platform="http", title="Acme", tools=(tool,), contract=contract
    )


def test_surfaces_come_by_name() -> None:
    """The order in which packs were installed does not show."""
    assert [s.name for s in accept([surface("b"), surface("a")])] == ["a", "b"]


@pytest.mark.parametrize(
    ("contract", "move"),
    [
        pytest.param(CONTRACT + 1, "upgrade placet", id="newer"),
        pytest.param(0, "generate the package again", id="older"),
    ],
)
def test_a_pack_of_another_contract_is_refused(contract: int, move: str) -> None:
    """A runtime binds no pack whose contract it does not know, and says which side has to move."""
    with pytest.raises(UnknownContract, match=move) as caught:
        accept([surface("acme", contract=contract)])

    assert (caught.value.surface, caught.value.contract) == ("acme", contract)


def test_two_packs_of_one_name_are_refused() -> None:
    """A name stands for one surface."""
    with pytest.raises(DuplicateSurface) as caught:
        accept([surface("acme"), surface("acme", package="other_tools")])

    assert caught.value.packages == ("acme_tools", "other_tools")


@pytest.mark.parametrize(
    ("package", "module", "reason"),
    [
        pytest.param(
            "odd_raises",
            "raise ValueError('half written')",
            "ValueError: half written",
            id="raises-on-import",
        ),
        pytest.param(
            "odd_kind", "surface = {'name': 'odd'}", "of type 'dict', not a Surface", id="is-no-surface"
        ),
        pytest.param("odd_lacks", "other = 1", "AttributeError", id="has-no-such-attribute"),
    ],
)
def test_a_broken_pack_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, module: str, reason: str
) -> None:
    """A pack that cannot be used is an error with its entry point, never a shorter list of tools."""
    info = tmp_path / f"{package}-1.0.dist-info"
    info.mkdir()
    (tmp_path / f"{package}.py").write_text(module, encoding="utf-8")
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nodd = {package}:surface\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(BrokenSurface, match=reason) as caught:
        installed_surfaces()

    assert caught.value.entry == f"odd = {package}:surface"
