"""Resolved tools and surfaces for tests that start at the IR."""

from collections.abc import Iterable, Mapping
from typing import Any

from placet.contract import Binding, Call, Identity, Risk, Scopes, Source
from placet_generator.diagnostics import Span
from placet_generator.ir import DomainIR, SurfaceIR, ToolIR


def a_tool(name: str, binding: Binding, *, line: int = 3) -> ToolIR:
    """A read of that canonical name, defined at that line of its domain's file."""
    domain, _, key = name.partition(".")
    first = binding.calls[0] if binding.calls else None
    return ToolIR(
        name=name,
        domain=domain,
        key=key,
        wire_name=f"{domain}_{key}",
        summary={"en": "Does a thing."},
        use_when={},
        avoid_when={},
        keywords=(),
        risk=Risk.READ,
        identity=(Identity.TENANT,),
        scopes=Scopes(),
        sensitive=False,
        source=Source(sdk=first.sdk, http=first.http, route=first.route) if first else Source(),
        params=(),
        output=(),
        binding=binding,
        idempotency="-",
        errors={},
        aliases=(),
        paged=False,
        page_size_max=None,
        defined_at=Span(f"curation/demo/domains/{domain}.yaml", line, 3),
    )


def calling(*methods: str, **parts: Any) -> Binding:
    """A binding that sends those methods and has those further parts."""
    names = ("main",) if len(methods) == 1 else methods
    calls = tuple(
        Call(name=name, sdk=one, http="GET", route="/r") for name, one in zip(names, methods, strict=True)
    )
    return Binding(calls=calls, **parts)


def a_surface(
    tools: Iterable[ToolIR],
    *,
    sdk: str = "demo-sdk 1.0",
    sdk_files: Mapping[str, str] | None = None,
    signatures: Mapping[str, Mapping[str, Any]] | None = None,
) -> SurfaceIR:
    """The surface `demo` with those tools, by domain."""
    by_domain: dict[str, list[ToolIR]] = {}
    for tool in tools:
        by_domain.setdefault(tool.domain, []).append(tool)
    domains = tuple(
        DomainIR(
            name=name,
            title={"en": name},
            tools=tuple(ones),
            shapes=(),
            guidance=(),
            path=f"domains/{name}.yaml",
        )
        for name, ones in sorted(by_domain.items())
    )
    return SurfaceIR(
        name="demo",
        package="demo_tools",
        title="Demo",
        platform="http",
        locales=("en",),
        domains=domains,
        presets={},
        sdk=sdk,
        sdk_files=sdk_files or {},
        signatures=signatures or {},
    )
