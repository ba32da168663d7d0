"""Texts in other languages: everything that is written in English, and nothing else."""

from collections.abc import Iterator, Mapping

from placet_generator.curation.loader import Curation, Located
from placet_generator.curation.models import DomainFile
from placet_generator.curation.texts import leaves, texts_of
from placet_generator.curation.yaml_text import YamlDocument
from placet_generator.diagnostics import Code, Span
from placet_generator.resolve.scope import Report, TextTable


def text_tables(curation: Curation, report: Report) -> dict[str, TextTable]:
    """Each domain's translations, checked both ways for completeness."""
    tables: dict[str, TextTable] = {}
    locales = curation.surface.model.locales
    for domain in curation.domains:
        overlays: dict[str, dict[tuple[str, ...], str]] = {}
        for locale in locales:
            overlay = curation.overlays.get((locale, domain.model.domain))
            if overlay is None:
                _report_no_file(curation, domain, locale, report)
                continue
            overlays[locale] = _overlay(domain, overlay, locale, report)
        tables[domain.model.domain] = TextTable(overlays)
    _check_owners(curation, report)
    _check_pages(curation, report)
    return tables


def _overlay(
    domain: Located[DomainFile], overlay: YamlDocument, locale: str, report: Report
) -> dict[tuple[str, ...], str]:
    english = dict(texts_of(domain.model))
    found: dict[tuple[str, ...], str] = {}
    for place, text in leaves(overlay.value):
        if place == ("domain",):
            continue
        if place not in english:
            report.error(
                Code.TEXT_DANGLING,
                overlay.span(place, key=True),
                f"{'.'.join(place)!r} belongs to no English text",
                "remove it, or correct its place",
            )
        elif not isinstance(text, str) or not text.strip():
            report.error(
                Code.VALUE_INVALID, overlay.span(place), f"{'.'.join(place)!r} is no text", "write a text"
            )
        else:
            found[place] = text.strip()
    for place in english:
        if place not in found and not overlay.has(place):
            report.error(
                Code.TEXT_MISSING,
                overlay.span(place, key=True),
                f"{'.'.join(place)!r} has no {locale} text",
                f"add it; the English is at {domain.span(place)}",
            )
    return found


def _report_no_file(curation: Curation, domain: Located[DomainFile], locale: str, report: Report) -> None:
    name = domain.model.domain
    report.error(
        Code.TEXT_MISSING,
        domain.span(("domain",)),
        f"domain {name!r} has no {locale} texts",
        f"add locales/{locale}/{name}.yaml",
    )


def _check_owners(curation: Curation, report: Report) -> None:
    """Overlay files of locales or domains that do not exist."""
    domains = {domain.model.domain for domain in curation.domains}
    listed = set(curation.surface.model.locales)
    for (locale, name), overlay in curation.overlays.items():
        if locale not in listed:
            hint = f"add {locale!r} to `locales:` in surface.yaml, or remove the file"
            report.error(
                Code.TEXT_DANGLING,
                Span(overlay.path, 1, 1),
                f"locale {locale!r} is not one of the surface's",
                hint,
            )
        elif name not in domains:
            report.error(
                Code.TEXT_DANGLING,
                Span(overlay.path, 1, 1),
                f"there is no domain {name!r}",
                "rename or remove the file",
            )


def _check_pages(curation: Curation, report: Report) -> None:
    """A first page for every domain, every page in every locale."""
    locales = ("en", *curation.surface.model.locales)
    domains = {domain.model.domain: domain for domain in curation.domains}
    pages = {(page.locale, page.domain, page.topic): page for page in curation.pages}
    for page in curation.pages:
        if page.domain not in domains:
            report.error(
                Code.GUIDANCE_DANGLING,
                Span(page.path, 1, 1),
                f"there is no domain {page.domain!r}",
                "rename the page",
            )
        elif page.locale not in locales:
            report.error(
                Code.TEXT_DANGLING,
                Span(page.path, 1, 1),
                f"locale {page.locale!r} is not listed",
                "remove the page",
            )
        elif not page.text.strip():
            report.error(Code.GUIDANCE_DANGLING, Span(page.path, 1, 1), "the page is empty", "write it")
    wanted = {(name, "") for name in domains} | {(page.domain, page.topic) for page in curation.pages}
    for name, topic in sorted(wanted):
        for locale in _missing(locales, name, topic, pages):
            if name in domains:
                file = f"guidance/{locale}/{name}{f'/{topic}' if topic else ''}.md"
                code = Code.GUIDANCE_DANGLING if locale == "en" else Code.TEXT_MISSING
                message = f"domain {name!r} has no {locale} guidance" + (f" on {topic!r}" if topic else "")
                report.error(code, domains[name].span(("domain",)), message, f"add {file}")


def _missing(
    locales: tuple[str, ...], name: str, topic: str, pages: Mapping[tuple[str, str, str], object]
) -> Iterator[str]:
    return (locale for locale in locales if (locale, name, topic) not in pages)
