"""Texts in other languages: everything that is written in English, and nothing else."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.loader import Curation, Located
from placet_generator.curation.models import DomainFile
from placet_generator.curation.texts import leaves, texts_of
from placet_generator.curation.yaml_text import YamlDocument
from placet_generator.diagnostics import Code, Span
from placet_generator.resolve.naming import is_locale, is_topic
from placet_generator.resolve.scope import Report, TextTable

Place = tuple[str, ...]


def text_tables(curation: Curation, report: Report) -> dict[str, TextTable]:
    """Each domain's translations, checked both ways for completeness."""
    tables: dict[str, TextTable] = {}
    locales = _locales(curation)
    for domain in curation.domains:
        english = dict(texts_of(domain.model))
        overlays: dict[str, dict[Place, str]] = {}
        for locale in locales:
            overlay = curation.overlays.get((locale, domain.model.domain))
            if overlay is None:
                if f"locales/{locale}/{domain.model.domain}.yaml" not in curation.unreadable:
                    _report_no_file(domain, locale, report)
                continue
            overlays[locale] = _overlay(domain, english, overlay, locale, report)
        tables[domain.model.domain] = TextTable(english, overlays)
    _check_owners(curation, report)
    _check_pages(curation, report)
    return tables


def _overlay(
    domain: Located[DomainFile],
    english: Mapping[Place, str],
    overlay: YamlDocument,
    locale: str,
    report: Report,
) -> dict[Place, str]:
    """The translations of a domain. A key that is missing because it was misspelt is told once."""
    if not isinstance(overlay.value, dict):
        report.error(
            Code.VALUE_INVALID, overlay.span(), "the file is no mapping", "write the keys of the domain file"
        )
        return {}
    given = {place: text for place, text in leaves(overlay.value) if place != ("domain",)}
    missing = _missing_texts([place for place in english if place not in given], overlay)
    dangling = _dangling_texts(given, english, domain)
    for place in dangling:
        siblings = {one[-1]: one for one in missing if one[:-1] == place[:-1]}
        close = nearest(place[-1], siblings, limit=1)
        for name in close:
            del missing[siblings[name]]
        hint = f"did you mean {close[0]!r}?" if close else "remove it, or correct its place"
        message = f"{'.'.join(place)!r} belongs to no English text"
        report.error(Code.TEXT_DANGLING, overlay.span(place, key=True), message, hint)
    for place, texts in missing.items():
        if any(place[: len(one)] == one for one in dangling):
            continue
        what = f"{locale} text" if texts == [place] else f"{locale} texts ({len(texts)})"
        hint = f"add it; the English is at {domain.span(texts[0])}"
        report.error(
            Code.TEXT_MISSING, overlay.span(place, key=True), f"{'.'.join(place)!r} has no {what}", hint
        )
    return {place: text.strip() for place, text in _texts(given, english, overlay, report)}


def _missing_texts(english: Iterable[Place], overlay: YamlDocument) -> dict[Place, list[Place]]:
    """Places that an overlay lacks, each as high as nothing of it is there, to the texts below it."""
    missing: dict[Place, list[Place]] = {}
    for place in english:
        top = next((place[:n] for n in range(1, len(place) + 1) if not overlay.has(place[:n])), None)
        if top is not None:
            missing.setdefault(top, []).append(place)
    return missing


def _dangling_texts(
    given: Iterable[Place], english: Mapping[Place, str], domain: Located[DomainFile]
) -> list[Place]:
    """Places of an overlay at which no English text stands, each as high as nothing English is below it."""
    known = {place[:n] for place in english for n in range(1, len(place) + 1)}
    tops: dict[Place, None] = {}
    for place in given:
        if place not in english:
            top = next((place[:n] for n in range(1, len(place) + 1) if place[:n] not in known), place)
            if place[:2] not in domain.left_out and place[:1] not in domain.left_out:
                tops[top] = None
    return list(tops)


def _texts(
    given: Mapping[Place, Any], english: Mapping[Place, str], overlay: YamlDocument, report: Report
) -> Iterator[tuple[Place, str]]:
    for place, text in given.items():
        if place not in english:
            continue
        if isinstance(text, str) and text.strip():
            yield place, text
        else:
            message = f"{'.'.join(place)!r} is no text"
            report.error(Code.VALUE_INVALID, overlay.span(place), message, "write a text; quote a number")


def _locales(curation: Curation) -> list[str]:
    """The surface's locales that can be; what is wrong with the others is told where they are listed."""
    return [one for one in dict.fromkeys(curation.surface.model.locales) if is_locale(one)]


def _report_no_file(domain: Located[DomainFile], locale: str, report: Report) -> None:
    name = domain.model.domain
    report.error(
        Code.TEXT_MISSING,
        domain.span(("domain",)),
        f"domain {name!r} has no {locale} texts",
        f"add locales/{locale}/{name}.yaml",
    )


def _check_owners(curation: Curation, report: Report) -> None:
    """Overlay files of locales or domains that do not exist."""
    listed = {*curation.surface.model.locales}
    for (locale, name), overlay in curation.overlays.items():
        if locale not in listed:
            hint = f"add {locale!r} to `locales:` in surface.yaml, or remove the file"
            report.error(
                Code.TEXT_DANGLING,
                Span(overlay.path, 1, 1),
                f"locale {locale!r} is not one of the surface's",
                hint,
            )
        elif not curation.knows_domain(name):
            report.error(
                Code.TEXT_DANGLING,
                Span(overlay.path, 1, 1),
                f"there is no domain {name!r}",
                "rename or remove the file",
            )


def _check_pages(curation: Curation, report: Report) -> None:
    """A first page for every domain, every page in every locale."""
    locales = ("en", *_locales(curation))
    domains = {domain.model.domain: domain for domain in curation.domains}
    pages = {(page.locale, page.domain, page.topic): page for page in curation.pages}
    for page in curation.pages:
        if not curation.knows_domain(page.domain):
            report.error(
                Code.GUIDANCE_DANGLING,
                Span(page.path, 1, 1),
                f"there is no domain {page.domain!r}",
                "rename the page",
            )
        elif page.topic and not is_topic(page.topic):
            message = f"topic {page.topic!r} is not of the form [a-z0-9][a-z0-9_-]*"
            report.error(Code.NAME_ILLEGAL, Span(page.path, 1, 1), message, "rename the page")
        elif page.locale not in locales:
            report.error(
                Code.TEXT_DANGLING,
                Span(page.path, 1, 1),
                f"locale {page.locale!r} is not listed",
                "remove the page",
            )
        elif not page.text.strip():
            report.error(Code.GUIDANCE_DANGLING, Span(page.path, 1, 1), "the page is empty", "write it")
    topics = {
        (page.domain, page.topic)
        for page in curation.pages
        if page.locale in locales and is_topic(page.topic)
    }
    wanted = topics | {(name, "") for name in domains}
    for name, topic in sorted(wanted):
        for locale in _missing(locales, name, topic, pages):
            file = f"guidance/{locale}/{name}{f'/{topic}' if topic else ''}.md"
            if name in domains and file not in curation.unreadable:
                code = Code.GUIDANCE_DANGLING if locale == "en" else Code.TEXT_MISSING
                message = f"domain {name!r} has no {locale} guidance" + (f" on {topic!r}" if topic else "")
                report.error(code, domains[name].span(("domain",)), message, f"add {file}")


def _missing(
    locales: tuple[str, ...], name: str, topic: str, pages: Mapping[tuple[str, str, str], object]
) -> Iterator[str]:
    return (locale for locale in locales if (locale, name, topic) not in pages)
