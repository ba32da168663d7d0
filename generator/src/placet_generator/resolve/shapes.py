"""Shapes by name: in the tool's own domain by their short name, elsewhere as `domain.shape`."""

from dataclasses import dataclass, replace

from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import DomainFile, Shape
from placet_generator.diagnostics import Code
from placet_generator.resolve.scope import At, ToolScope


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeAt:
    """A declared shape and its place."""

    name: str
    shape: Shape
    domain: DomainFile
    at: At

    def rescope(self, scope: ToolScope) -> ToolScope:
        """The scope in which the shape's own references hold: those of the domain that declares it."""
        return replace(scope, domain=self.domain, open_shapes=scope.open_shapes | {self.full_name})

    @property
    def full_name(self) -> str:
        return f"{self.domain.domain}.{self.name}"


def find_shape(scope: ToolScope, name: str, at: At) -> ShapeAt | None:
    """The shape of that name; reports an unknown one with the nearest."""
    owner, _, short = name.rpartition(".")
    for located in scope.inputs.curation.domains:
        domain = located.model
        if domain.domain == (owner or scope.domain.domain) and short in domain.shapes:
            place = At(located.document, ("shapes", short))
            found = ShapeAt(name=short, shape=domain.shapes[short], domain=domain, at=place)
            if found.full_name in scope.open_shapes:
                scope.report.error(
                    Code.SHAPE_UNKNOWN, at, f"shape {name!r} contains itself", "end the recursion"
                )
                return None
            return found
    if _may_be_left_out(scope, owner or scope.domain.domain, short):
        return None
    known = [
        shape if located.model.domain == scope.domain.domain else f"{located.model.domain}.{shape}"
        for located in scope.inputs.curation.domains
        for shape in located.model.shapes
    ]
    close = nearest(name, known, limit=1)
    hint = f"did you mean {close[0]!r}?" if close else "declare it under `shapes:`"
    scope.report.error(Code.SHAPE_UNKNOWN, at, f"there is no shape {name!r}", hint)
    return None


def _may_be_left_out(scope: ToolScope, domain: str, name: str) -> bool:
    """True when a fault, told elsewhere, keeps the shape or its whole file from being known."""
    curation = scope.inputs.curation
    return f"domains/{domain}.yaml" in curation.unreadable or any(
        name in located.left_out_of("shapes")
        for located in curation.domains
        if located.model.domain == domain
    )
