"""The catalogue of an OpenAPI 3.0 or 3.1 document.

Documents are written by strangers: recursion, duplicate names, references to files and plain mistakes are
normal. Reading one gives a document and findings, never a traceback; trees are built one method at a time, on
demand.
"""

from collections.abc import Iterator, Mapping

from placet_generator.catalogue.model import CatalogueError, Method, Place
from placet_generator.catalogue.openapi.document import OpenApiDocument, read_document
from placet_generator.catalogue.openapi.names import route_key
from placet_generator.catalogue.openapi.operations import Operation, Unsupported, read_method
from placet_generator.catalogue.openapi.schemas import TooLarge

__all__ = ["OpenApiCatalogue", "OpenApiDocument", "Operation", "read_document"]


class OpenApiCatalogue:
    """The methods of one document.

    Args:
        envelope: The member of an answer that holds its data; trees of answers that have it start below it.
    """

    def __init__(self, document: OpenApiDocument, *, envelope: str = "") -> None:
        self._document, self._envelope = document, envelope
        self._by_name = {one.name: one for one in document.operations}
        self._by_id: dict[str, Operation] = {}
        self._by_route: dict[tuple[str, str], str] = {}
        for one in document.operations:
            self._by_id.setdefault(one.operation_id, one)
            self._by_route.setdefault((one.http, route_key(one.route)), one.name)
        self._lines: dict[str, int] | None = None
        self._methods: dict[str, Method] = {}

    @property
    def version(self) -> str:
        title = self._document.title or "untitled"
        return f"OpenAPI {self._document.version} {title} {self._document.release}".rstrip()

    def method(self, name: str) -> Method | None:
        """The method of that name, or of that operation id as the document has it; None when there is none.

        Raises:
            CatalogueError: no tool can send the operation, or its body has more than 20,000 parts.
        """
        operation = self._by_name.get(name) or (self._by_id.get(name) if name else None)
        if operation is None:
            return None
        if operation.name not in self._methods:
            self._methods[operation.name] = self._read(operation)
        return self._methods[operation.name]

    def _read(self, operation: Operation) -> Method:
        path, line = self._document.path, self._line(operation.name)
        try:
            place = Place(path=path, line=line)
            return read_method(self._document.root, operation, envelope=self._envelope, place=place)
        except (Unsupported, TooLarge) as error:
            what = "is too large" if isinstance(error, TooLarge) else "cannot be sent"
            raise CatalogueError(f"{operation.name!r} {what}: {error}", path=path, line=line) from error

    def _line(self, name: str) -> int:
        if self._lines is None:
            self._lines = self._document.lines()
        return self._lines[name]

    def names(self) -> Iterator[str]:
        """Every operation's name, in document order; what cannot be sent is among them."""
        return iter(self._by_name)

    def by_route(self, http: str, route: str) -> str | None:
        """The name of the operation with that verb and route, placeholder names ignored."""
        return self._by_route.get((http, route_key(route)))

    def read_files(self) -> Mapping[str, str]:
        """sha256 (hex) of the document, by its path."""
        return {self._document.path: self._document.sha256}
