"""Recall and false alarms of the rules over the corpora: the same figures that the tests hold and the guide prints."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from msgspec import Struct

from placet.contract.masking import MaskingPolicy, SafetyMode
from placet.platforms.feishu.secrets import SHAPES
from placet.sanitise.masking import Masking, masking
from placet.sanitise.outbound import release
from tests.runtime.sanitise.corpus import (
    disguises,
    injections_development,
    injections_evaluation,
    secrets_evaluation,
    secrets_round1,
    secrets_round2,
)

CORPUS = Path(__file__).parent / "corpus"
RULES: Masking = masking(MaskingPolicy(), (SHAPES,))


class Case(Struct, frozen=True):
    """One generated value, where it comes from, and the secret that must not survive in it."""

    name: str
    value: Any
    secret: str = ""


def secret_cases(parts: tuple[ModuleType, ...]) -> Iterator[Case]:
    """Container by secret by language template. The random values are the same in every run."""
    for part in parts:
        yield from _secret_cases(part, Random(20250301))


def _secret_cases(part: ModuleType, random: Random) -> Iterator[Case]:
    for kind, make in part.SHAPED.items():
        for language, texts in part.SHAPED_TEXTS.items():
            for template in texts:
                for place, contain in part.CONTAINERS.items():
                    secret = make(random)
                    yield Case(
                        f"{kind}/{language}/{template!r}/{place}", contain(template.format(secret)), secret
                    )
    for kind, make in part.ANNOUNCED.items():
        for language, texts in part.TEXTS.items():
            for template in texts:
                for place, contain in part.CONTAINERS.items():
                    secret = make(random)
                    yield Case(
                        f"{kind}/{language}/{template!r}/{place}", contain(template.format(secret)), secret
                    )
        for key in part.KEYS:
            for place, hold in part.KEYED.items():
                secret = make(random)
                form = getattr(part, "HEADER_VALUES", {}).get(key, "{}")
                yield Case(f"{kind}/{key}/{place}", hold(key, form.format(secret)), secret)


def injection_cases(
    language: str, part: ModuleType, containers: dict[str, disguises.Container]
) -> Iterator[Case]:
    """Template by goal, in turn through every container and disguise."""
    templates, goals, ways = {
        "en": (part.ENGLISH, part.ENGLISH_GOALS, disguises.ENGLISH_DISGUISES),
        "zh": (part.CHINESE, part.CHINESE_GOALS, disguises.CHINESE_DISGUISES),
    }[language]
    for template in templates:
        for disguise, hide in ways.items():
            for at, (place, contain) in enumerate(containers.items()):
                goal = goals[(at + len(template)) % len(goals)]
                text = template.format(goal=goal, Goal=goal[0].upper() + goal[1:])
                yield Case(f"{template!r}/{disguise}/{place}", contain(hide(text)))


def benign_lines(language: str, part: str) -> list[str]:
    """Harmless lines of business text."""
    return (CORPUS / f"benign_{language}_{part}.txt").read_text(encoding="utf-8").splitlines()


def leaked(case: Case) -> bool:
    """Whether a part of the secret that gives it away is still there."""
    import json

    out = json.dumps(release(case.value, masking=RULES).data, ensure_ascii=False)
    core = max(case.secret.replace("\n", " ").split(), key=len)
    core = core.split("@")[0].rsplit(":", 1)[-1] if "://" in core and "@" in core else core
    return core in out or (len(core) >= 16 and core[4:14] in out.replace("\\", ""))


def is_flagged(value: Any) -> bool:
    """Whether any text of the value is suspect."""
    return any(
        one.kind == "injection" for one in release(value, masking=RULES, safety_mode=SafetyMode.WARN).findings
    )


PARTS = {
    "development": (
        (secrets_round1, secrets_round2),
        injections_development,
        disguises.DEVELOPMENT_CONTAINERS,
    ),
    "evaluation": ((secrets_evaluation,), injections_evaluation, disguises.EVALUATION_CONTAINERS),
}
