"""The list of all methods travels with a surface that looks capabilities up, and with no other."""

from placet_generator.curation.loader import SourceFile
from placet_generator.emit.methods import methods_text
from tests.generator.compiled import compile_files, feishu_files, feishu_sources

PLACE = "generated/src/placet_feishu/methods.tsv"


def test_a_surface_that_looks_up_has_every_method() -> None:
    """One sorted line each, curated or not."""
    lines = dict(compile_files(feishu_files()).files)[PLACE].splitlines()

    assert lines == sorted(lines)
    assert {line.split("\t")[0] for line in lines} == set(feishu_sources().witness.methods().names())


def test_a_surface_without_such_a_tool_has_none() -> None:
    """Nobody ships a list that nothing reads."""
    others = [
        one for one in feishu_files() if not any(part.startswith("feishu") for part in one.place.parts[1:])
    ]
    files = compile_files(
        [_without_meta(one) if one.place.name == "surface.yaml" else one for one in others]
    ).files

    assert files
    assert PLACE not in files


def _without_meta(surface: SourceFile) -> SourceFile:
    text = (surface.text or "").replace("meta: feishu\n", "").replace("    - feishu.", "    # - feishu.")
    return SourceFile(surface.path, surface.place, text)


def test_lines_hold_name_verb_and_route() -> None:
    """Whatever the order they come in."""
    assert (
        methods_text([("b.c", "GET", "/b"), ("a.b", "POST", "/a/:x")]) == "a.b\tPOST\t/a/:x\nb.c\tGET\t/b\n"
    )
