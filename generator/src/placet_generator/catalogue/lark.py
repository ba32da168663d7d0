"""The catalogue of `lark-oapi`, read from the installed package's sources without importing it.

A method is followed along one chain: client attribute, service, version, resource class, the method's request
and response annotations, and from these two files to the models. Only the files on the chain are read.
"""

import ast
import importlib.metadata
import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from placet_generator.catalogue.lark_source import (
    Attribute,
    ModelFile,
    RequestFile,
    ResourceFile,
    Signature,
    SourceFiles,
    read_attributes,
    read_model,
    read_request,
)
from placet_generator.catalogue.methods import MethodIndex
from placet_generator.catalogue.model import CatalogueError, Method, Node, Place, SlotInfo

DISTRIBUTION = "lark-oapi"
PACKAGE = "lark_oapi"

_ANY, _FILE = Node(kind="any"), Node(kind="file")
_PLAIN = {
    "str": Node(kind="string"),
    "int": Node(kind="integer"),
    "float": Node(kind="number"),
    "bool": Node(kind="boolean"),
    "Any": _ANY,
    "object": _ANY,
    "list": _ANY,
    "dict": _ANY,
}
_RESPONSE_FIELDS = frozenset({"data", "file", "file_name"})


class InstalledLark(NamedTuple):
    """The package's folder and its version (`1.7.5`)."""

    root: Path
    version: str


def find_lark() -> InstalledLark:
    """Where the installed SDK lies; nothing of it is imported.

    Raises:
        CatalogueError: it is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise CatalogueError("is not installed", path=DISTRIBUTION)
    try:
        version = importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError as fault:
        raise CatalogueError("has no metadata, so its version is not known", path=DISTRIBUTION) from fault
    return InstalledLark(Path(spec.origin).parent, version)


class LarkCatalogue:
    """Methods by their dotted SDK path.

    Args:
        root: The package's folder, of any version: an unpacked wheel will do.
        index: All methods, for `names` and `by_route`; without one both find nothing.
        version: Of the SDK; read from the metadata beside `root` when None.
    """

    def __init__(self, root: Path, index: MethodIndex | None, *, version: str | None = None) -> None:
        self._root = root
        self._index = index if index is not None else MethodIndex()
        self._version = version
        self._files = SourceFiles(root)
        self._methods: dict[str, Method] = {}
        self._services: dict[str, Attribute] | None = None
        self._attributes: dict[str, dict[str, Attribute]] = {}
        self._resources: dict[str, ResourceFile] = {}
        self._models: dict[tuple[str, str], Node] = {}
        self._open: list[tuple[str, str]] = []
        self._cut: set[tuple[str, str]] = set()

    @property
    def version(self) -> str:
        """`lark-oapi 1.7.5`; the version is `unknown` where no metadata lies beside the folder."""
        if self._version is None:
            beside = sorted(self._root.parent.glob(f"{PACKAGE}-*.dist-info"))
            self._version = (
                beside[-1].name.removesuffix(".dist-info").rpartition("-")[2] if beside else "unknown"
            )
        return f"{DISTRIBUTION} {self._version}"

    def names(self) -> Iterator[str]:
        return self._index.names()

    def by_route(self, http: str, route: str) -> str | None:
        return self._index.by_route(http, route)

    def read_files(self) -> Mapping[str, str]:
        return dict(sorted(self._files.digests.items()))

    def method(self, name: str) -> Method | None:
        if name not in self._methods:
            found = self._find(name)
            if found is None:
                return None
            self._methods[name] = found
        return self._methods[name]

    def _find(self, name: str) -> Method | None:
        parts = name.split(".")
        if len(parts) != 4:
            return None
        service, version, resource, method = parts
        folder = self._version_folder(service, version)
        found = self._resource(folder, resource) if folder else None
        if found is None or method not in found:
            return None
        signature = found.signature(method)
        models = f"{folder}/model"
        request = read_request(self._files.read(f"{models}/{signature.request_module}.py"), signature.request)
        return self._method(name, signature, request, models)

    def _version_folder(self, service: str, version: str) -> str | None:
        """The folder of a service's version (`api/bitable/v1`), or None when the client has none such."""
        if self._services is None:
            client = self._files.read("client.py")
            attributes = read_attributes(client, "Client", until="\n    @staticmethod")
            self._services = {name: one for name, one in attributes.items() if one.module.startswith("api.")}
        at_client = self._services.get(service)
        if at_client is None:
            return None
        path = at_client.module.replace(".", "/")
        at_service = self._attributes_of(f"{path}.py").get(version)
        if at_service is None:
            return None
        return f"{path.rpartition('/')[0]}/{at_service.module.rpartition('.')[0].replace('.', '/')}"

    def _resource(self, folder: str, resource: str) -> ResourceFile | None:
        attribute = self._attributes_of(f"{folder}/version.py").get(resource)
        if attribute is None:
            return None
        path = f"{folder}/resource/{resource}.py"
        if path not in self._resources:
            self._resources[path] = ResourceFile(self._files.read(path), attribute.class_name)
        return self._resources[path]

    def _attributes_of(self, path: str) -> dict[str, Attribute]:
        if path not in self._attributes:
            self._attributes[path] = read_attributes(self._files.read(path))
        return self._attributes[path]

    def _method(self, name: str, signature: Signature, request: RequestFile, models: str) -> Method:
        file = self._files.read(f"{models}/{signature.response_module}.py")
        answer = read_model(file, signature.response, "BaseResponse")
        if not answer.fields.keys() <= _RESPONSE_FIELDS:
            raise file.fault(f"{signature.response!r} has more than data and a file", answer.line)
        if signature.download != ("file" in answer.fields):
            raise file.fault(
                f"{signature.response!r} and its method disagree whether the answer is a file", answer.line
            )
        body = None
        if request.body is not None:
            class_name, module = request.body
            body = self._model(models, module, class_name)
        return Method(
            name=name,
            http=request.http,
            route=request.route,
            tokens=request.tokens or frozenset(),
            path=self._slots(request, request.path, required=True),
            query=self._slots(request, request.query, required=None),
            body=body,
            body_kind=_body_kind(body, signature),
            response=self._type(answer.fields["data"], answer, models) if "data" in answer.fields else None,
            download=signature.download,
            place=Place(path=request.file.shown, line=request.line),
        )

    def _slots(
        self, request: RequestFile, slots: Mapping[str, ast.expr], *, required: bool | None
    ) -> tuple[SlotInfo, ...]:
        scope = ModelFile(file=request.file, fields={}, modules={}, line=request.line)
        return tuple(
            SlotInfo(name=name, node=self._type(kind, scope, ""), required=required)
            for name, kind in slots.items()
        )

    def _model(self, models: str, module: str, class_name: str) -> Node:
        """The tree of a model.

        A type that contains itself is cut where it comes again. Trees with an open cut are not kept, because
        where it falls depends on where the reading began.
        """
        key = (f"{models}/{module}.py", class_name)
        if key in self._models:
            return self._models[key]
        if key in self._open:
            self._cut.add(key)
            return Node(kind="object", model=class_name, recursive=True)
        model = read_model(self._files.read(key[0]), class_name, "object")
        self._open.append(key)
        try:
            fields = {name: self._type(kind, model, models) for name, kind in model.fields.items()}
        finally:
            self._open.pop()
            self._cut.discard(key)
        node = Node(kind="object", model=class_name, fields=fields)
        if not self._cut:
            self._models[key] = node
        return node

    def _type(self, kind: ast.expr, scope: ModelFile, models: str) -> Node:
        """The node of a type expression, its names looked up in the file it stands in."""
        match kind:
            case ast.Name(id=name) if name in _PLAIN:
                return _PLAIN[name]
            case ast.Name(id=name):
                return self._model(models, scope.module_of(name, kind.lineno), name)
            case ast.Subscript(value=ast.Name(id="List"), slice=item):
                return Node(kind="array", item=self._type(item, scope, models))
            case ast.Subscript(value=ast.Name(id="Dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), item])):
                return Node(kind="map", item=self._type(item, scope, models))
            case ast.Subscript(value=ast.Name(id="IO")):
                return _FILE
            case _:
                raise scope.file.fault(f"the type {ast.unparse(kind)!r} is not known", kind.lineno)


def _body_kind(body: Node | None, signature: Signature) -> Literal["none", "json", "multipart"]:
    if body is None:
        return "none"
    has_file = any(node.kind == "file" for node in body.fields.values())
    return "multipart" if signature.multipart or has_file else "json"
