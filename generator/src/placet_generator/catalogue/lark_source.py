"""The forms of the files of `lark-oapi`, read with `ast` and never imported.

Each function takes one file and returns what it states. The SDK is generated and as regular as a table;
whatever differs from the table is a `CatalogueError` with its line, so that a new SDK fails loudly instead of
losing a method. Only what matters is parsed: a model's builder is most of its text and says nothing new.
"""

import ast
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from placet_generator.catalogue.model import CatalogueError

_ATTRIBUTE = re.compile(r"^        self\.(\w+): Optional\[", re.MULTILINE)
_METHOD = re.compile(r"^    (async )?def (\w+)\(", re.MULTILINE)
_PLACEHOLDER = re.compile(r":([^/]+)")
_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_TOKENS = {"TENANT": "tenant", "USER": "user", "APP": "app"}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file's text; `path` is relative to the SDK's root and `shown` is the one for messages."""

    path: str
    shown: str
    text: str

    def fault(self, message: str, line: int = 0) -> CatalogueError:
        return CatalogueError(message, path=self.shown, line=line)

    def line_of(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def parse(
        self, start: int = 0, end: int | None = None, *, inside: str = "", closing: str = ""
    ) -> list[ast.stmt]:
        """Statements of a part of the file, with the line numbers of the whole.

        Args:
            inside: A header line that makes an indented part complete; it takes the place of the line before.
            closing: Text that makes it complete at its end.
        """
        lines = self.text.count("\n", 0, start)
        lead = "\n" * (lines - 1) + inside + "\n" if inside else "\n" * lines
        try:
            return ast.parse(lead + self.text[start:end] + closing).body
        except SyntaxError as fault:
            raise self.fault(f"is not Python: {fault.msg}", fault.lineno or 0) from fault
        except (ValueError, RecursionError, MemoryError) as fault:
            raise self.fault(f"cannot be parsed: {fault}") from fault


class SourceFiles:
    """Files under the SDK's folder; keeps the sha256 of each one read."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.digests: dict[str, str] = {}

    def read(self, path: str) -> SourceFile:
        """Raises CatalogueError when it is not there or not UTF-8."""
        shown = f"{self._root.name}/{path}"
        try:
            content = (self._root / path).read_bytes()
            text = content.decode()
        except OSError as fault:
            raise CatalogueError(f"cannot be read: {fault.strerror}", path=shown) from fault
        except UnicodeDecodeError as fault:
            raise CatalogueError("is not UTF-8", path=shown) from fault
        self.digests[path] = hashlib.sha256(content).hexdigest()
        return SourceFile(path, shown, text.replace("\r\n", "\n"))


class Attribute(NamedTuple):
    """`self.name: Class = ...`, with the module that `Class` is imported from (empty when it is not)."""

    module: str
    class_name: str
    line: int


def read_attributes(
    file: SourceFile, class_name: str | None = None, *, until: str = ""
) -> dict[str, Attribute]:
    """Attributes that the constructor of a client, service or version annotates with a class.

    Args:
        class_name: The class; the file's only one when None.
        until: Text at which reading may stop.
    """
    end = file.text.find(until) if until else -1
    statements = file.parse(0, end if end >= 0 else None)
    imported = {name: module for _, name, module in _imports(statements)}
    classes = [one for one in statements if isinstance(one, ast.ClassDef) and class_name in (None, one.name)]
    if len(classes) != 1:
        raise file.fault(f"has no class {class_name!r}" if class_name else "has not exactly one class")
    found: dict[str, Attribute] = {}
    for statement in _constructor(file, classes[0]).body:
        match statement:
            case ast.AnnAssign(
                target=ast.Attribute(value=ast.Name(id="self"), attr=name),
                annotation=ast.Name(id=kind)
                | ast.Subscript(value=ast.Name(id="Optional"), slice=ast.Name(id=kind)),
            ):
                found[name] = Attribute(imported.get(kind, ""), kind, statement.lineno)
            case _:
                raise file.fault("is not an annotated attribute", statement.lineno)
    return found


class Signature(NamedTuple):
    """A method of a resource class: its request and response classes with their modules.

    Attributes:
        multipart: The method codes a form.
        download: The method keeps the answer's bytes.
    """

    request: str
    request_module: str
    response: str
    response_module: str
    multipart: bool
    download: bool


class ResourceFile:
    """A resource class; its methods are found by name and parsed one at a time."""

    def __init__(self, file: SourceFile, class_name: str) -> None:
        self._file = file
        start = file.text.find("\nclass ")
        if not file.text.startswith(f"\nclass {class_name}(object):\n", start):
            raise file.fault(f"has no class {class_name!r}", file.line_of(start + 1) if start >= 0 else 0)
        if file.text.find("\nclass ", start + 1) >= 0:
            raise file.fault("has more than one class")
        self._modules: dict[str, str] | None = None
        self._class_at = start + 1
        found = list(_METHOD.finditer(file.text, start))
        ends = [one.start() for one in found[1:]] + [len(file.text)]
        self._parts = {
            one[2]: (one.start(), end)
            for one, end in zip(found, ends, strict=True)
            if not one[1] and one[2] != "__init__"
        }
        self._async = {one[2] for one in found if one[1]}

    def __contains__(self, method: str) -> bool:
        return method in self._parts

    def signature(self, method: str) -> Signature:
        """Raises CatalogueError when it is not `(self, request, option=None)` with plain classes."""
        start, end = self._parts[method]
        line = self._file.line_of(start)
        colon = self._file.text.find(":\n", start, end)
        if colon < 0:
            raise self._file.fault(f"{method!r} has no body", line)
        if f"a{method}" not in self._async:
            raise self._file.fault(f"{method!r} has no asynchronous twin", line)
        (statement,) = self._file.parse(start, colon, inside="class _:", closing=":\n        pass")
        match statement:
            case ast.ClassDef(
                body=[
                    ast.FunctionDef(
                        args=ast.arguments(
                            posonlyargs=[],
                            args=[
                                ast.arg(arg="self"),
                                ast.arg(arg="request", annotation=ast.Name(id=request)),
                                ast.arg(
                                    arg="option",
                                    annotation=ast.Subscript(
                                        value=ast.Name(id="Optional"), slice=ast.Name(id="RequestOption")
                                    ),
                                ),
                            ],
                            vararg=None,
                            kwonlyargs=[],
                            kwarg=None,
                            defaults=[ast.Constant(value=None)],
                        ),
                        decorator_list=[],
                        returns=ast.Name(id=response),
                    )
                ]
            ):
                body = self._file.text[colon:end]
                return Signature(
                    request,
                    self._module(request, line),
                    response,
                    self._module(response, line),
                    multipart="MultipartEncoder(" in body,
                    download="io.BytesIO(" in body,
                )
            case _:
                raise self._file.fault(f"{method!r} does not take a request and an option", line)

    def _module(self, name: str, line: int) -> str:
        if self._modules is None:
            found = _imports(self._file.parse(0, self._class_at))
            self._modules = {
                name: module.removeprefix("model.")
                for level, name, module in found
                if level == 2 and module.startswith("model.")
            }
        if name not in self._modules:
            raise self._file.fault(f"{name!r} is not imported from the models", line)
        return self._modules[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A model or a response: field to the expression of its type, and the modules of the names in them."""

    file: SourceFile
    fields: Mapping[str, ast.expr]
    modules: Mapping[str, str]
    line: int

    def module_of(self, name: str, line: int) -> str:
        if name not in self.modules:
            raise self.file.fault(f"the type {name!r} is not known", line)
        return self.modules[name]


def read_model(file: SourceFile, class_name: str, base: str) -> ModelFile:
    """The class of that name: its `_types`, and that its constructor has the same attributes."""
    constructor = file.text.find("\n    def __init__(")
    if constructor < 0:
        raise file.fault(f"{class_name!r} has no constructor")
    statements = file.parse(0, constructor)
    match [one for one in statements if not isinstance(one, ast.ImportFrom)]:
        case [
            ast.ClassDef(
                name=name,
                bases=[ast.Name(id=parent)],
                body=[ast.Assign(targets=[ast.Name(id="_types")], value=ast.Dict(keys=keys, values=values))],
                lineno=line,
            )
        ] if name == class_name and parent == base:
            pass
        case _:
            raise file.fault(
                f"is not the class {class_name!r} with its types",
                file.line_of(max(file.text.find("\nclass "), 0) + 1),
            )
    fields: dict[str, ast.expr] = {}
    for key, value in zip(keys, values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            raise file.fault("a field's name is not a text", value.lineno)
        fields[key.value] = value
    end = file.text.find("\n    @staticmethod", constructor)
    attributes = _ATTRIBUTE.findall(file.text, constructor, end if end >= 0 else len(file.text))
    if attributes != list(fields):
        raise file.fault(f"{class_name!r} has other attributes than types", line)
    modules = {name: module for level, name, module in _imports(statements) if level == 1}
    return ModelFile(file=file, fields=fields, modules=modules, line=line)


@dataclass(slots=True, kw_only=True)
class RequestFile:
    """What the builder of a request sets.

    Attributes:
        tokens: Kinds of token; empty for none.
        path, query: Wire name to the expression of its type, in the builder's order.
        body: Class and module of the body.
        line: Of the route.
    """

    file: SourceFile
    http: str = ""
    route: str = ""
    tokens: frozenset[str] | None = None
    path: dict[str, ast.expr] = field(default_factory=dict)
    query: dict[str, ast.expr] = field(default_factory=dict)
    body: tuple[str, str] | None = None
    line: int = 0


def read_request(file: SourceFile, class_name: str) -> RequestFile:
    """The request of that name, from its builder."""
    start = file.text.find("\nclass ")
    builder = file.text.find("\nclass ", start + 1)
    if start < 0 or not file.text.startswith(f"\nclass {class_name}(BaseRequest):\n", start):
        raise file.fault(f"has no class {class_name!r}", file.line_of(start + 1) if start >= 0 else 0)
    statements = file.parse(builder + 1) if builder >= 0 else []
    match statements:
        case [ast.ClassDef(name=name, bases=[ast.Name(id="object")]) as found] if (
            name == f"{class_name}Builder"
        ):
            pass
        case _:
            raise file.fault(f"{class_name!r} has no builder", file.line_of(start + 1))
    request = RequestFile(file=file)
    for statement in _constructor(file, found).body:
        _read_setting(request, class_name, statement)
    if not request.http or not request.route or request.tokens is None:
        raise file.fault(f"{class_name!r} does not set verb, route and tokens", found.lineno)
    setters = [
        one
        for one in found.body
        if not (isinstance(one, ast.FunctionDef) and one.name in ("__init__", "build"))
    ]
    body_class = ""
    for one in setters:
        body_class = _read_setter(request, one) or body_class
    if _ATTRIBUTE.findall(file.text, start, builder) != [
        one.name for one in setters if isinstance(one, ast.FunctionDef)
    ]:
        raise file.fault(f"{class_name!r} has other attributes than setters", found.lineno)
    for placeholder in _PLACEHOLDER.findall(request.route):
        if placeholder not in request.path:
            raise file.fault(f"nothing fills {placeholder!r} of the route", request.line)
    if body_class:
        modules = {name: module for level, name, module in _imports(file.parse(0, start)) if level == 1}
        if body_class not in modules:
            raise file.fault(f"the body {body_class!r} is not a model", found.lineno)
        request.body = (body_class, modules[body_class])
    return request


def _read_setting(request: RequestFile, class_name: str, statement: ast.stmt) -> None:
    """One statement of the builder's constructor."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(id=made), args=[])) if (
            made == class_name
        ):
            return
        case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self")), value=ast.Name()):
            return
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(), attr="http_method")],
            value=ast.Attribute(value=ast.Name(id="HttpMethod"), attr=verb),
        ) if verb in _VERBS:
            request.http = verb
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(), attr="uri")], value=ast.Constant(value=str(route))
        ) if route.startswith("/open-apis/"):
            request.route, request.line = route, statement.lineno
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(), attr="token_types")],
            value=ast.Set(elts=kinds) | ast.Dict(keys=kinds),
        ):
            request.tokens = frozenset(_token(request.file, kind, statement.lineno) for kind in kinds)
        case _:
            raise request.file.fault("sets neither verb, route nor tokens", statement.lineno)


def _token(file: SourceFile, kind: ast.expr | None, line: int) -> str:
    match kind:
        case ast.Attribute(value=ast.Name(id="AccessTokenType"), attr=name) if name in _TOKENS:
            return _TOKENS[name]
        case _:
            raise file.fault("is not a kind of token", line)


def _read_setter(request: RequestFile, setter: ast.stmt) -> str | None:
    """Add what one setter fills; of a body, return its class."""
    match setter:
        case ast.FunctionDef(
            args=ast.arguments(
                args=[ast.arg(arg="self"), ast.arg(arg=argument, annotation=ast.expr() as kind)], defaults=[]
            ),
            body=[
                ast.Assign(targets=[ast.Attribute(attr=stored)], value=ast.Name(id=value)),
                *effects,
                ast.Return(value=ast.Name(id="self")),
            ],
            name=name,
        ) if stored == name and value == argument:
            pass
        case _:
            raise request.file.fault("is not a setter", setter.lineno)
    match effects:
        case []:
            return None
        case [
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(attr="add_query"),
                    args=[ast.Constant(value=str(wire)), ast.Name(id=sent)],
                )
            )
        ] if sent == argument:
            slots = request.query
        case [
            ast.Assign(
                targets=[
                    ast.Subscript(value=ast.Attribute(attr="paths"), slice=ast.Constant(value=str(wire)))
                ],
                value=ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=sent)]),
            )
        ] if sent == argument:
            slots = request.path
        case [ast.Assign(targets=[ast.Attribute(attr="body")], value=ast.Name(id=sent))] if (
            sent == argument and isinstance(kind, ast.Name)
        ):
            return kind.id
        case _:
            raise request.file.fault(f"{name!r} fills neither query, path nor body", setter.lineno)
    if wire in slots:
        raise request.file.fault(f"{wire!r} is filled twice", setter.lineno)
    slots[wire] = kind
    return None


def _constructor(file: SourceFile, found: ast.ClassDef) -> ast.FunctionDef:
    for statement in found.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return statement
    raise file.fault(f"{found.name!r} has no constructor", found.lineno)


def _imports(statements: list[ast.stmt]) -> Iterator[tuple[int, str, str]]:
    """(dots, name, module) of every `from module import name`."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                yield statement.level, alias.asname or alias.name, statement.module
