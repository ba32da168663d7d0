"""What a code means: the answer of `placet explain`, and the page that lists them all."""

from difflib import get_close_matches

from placet_generator.diagnostics.codes import CODES, Code

__all__ = ["UnknownCode", "codes_page", "explain"]

PARTS = {
    "YML": "YAML",
    "CUR": "Curation files",
    "NAM": "Names",
    "SRC": "Sources",
    "SLT": "Slots",
    "TYP": "Types and limits",
    "PLT": "Names of the platform",
    "RSK": "Risk",
    "IDN": "Identity",
    "SCP": "Scopes",
    "OUT": "Output and paging",
    "REF": "References and guidance",
    "IDM": "Idempotency and what an approver sees",
    "LOC": "Texts in other languages",
    "BUD": "Budgets",
    "WIT": "The witness",
    "OAS": "OpenAPI documents",
    "DRF": "Drift",
    "PIN": "The SDK pin",
}
"""The letters of a code to the part of the input they stand for."""


class UnknownCode(LookupError):
    """No code of that name. `nearest` has those that look like it, the best first."""

    def __init__(self, name: str, nearest: tuple[str, ...]) -> None:
        meant = f"; did you mean {' or '.join(nearest)}?" if nearest else "; docs/diagnostics.md lists all"
        super().__init__(f"there is no code {name!r}{meant}")
        self.name, self.nearest = name, nearest


def explain(name: str) -> str:
    """Purpose and remedy of a code, as text of a few lines.

    Args:
        name: A code (`RSK001`) or its name (`RISK_MISSING`), in any case.
    Raises:
        UnknownCode: there is none.
    """
    wanted = name.strip().upper().replace("-", "_")
    known = {**{str(one): one for one in Code}, **{one.name: one for one in Code}}
    if wanted not in known:
        raise UnknownCode(name, tuple(get_close_matches(wanted, known, n=3, cutoff=0.6)))
    code = known[wanted]
    return f"{code} {code.name}\n{CODES[code].purpose}\nWhat to do: {CODES[code].remedy}\n"


def codes_page() -> str:
    """The page `docs/diagnostics.md`: every code in a line of its own, by the part of the input."""
    lines = [
        "# Diagnostics",
        "",
        "Every finding of the compiler has a stable code, which is never reused. `placet explain CODE`",
        "prints the same lines. This page is made from the table of codes (`placet explain --page`).",
    ]
    for letters, title in PARTS.items():
        codes = [one for one in Code if one.startswith(letters)]
        lines += ["", f"## {title}", "", "| code | what it means | what to do |", "|---|---|---|"]
        lines += [f"| {one} | {_cell(CODES[one].purpose)} | {_cell(CODES[one].remedy)} |" for one in codes]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
