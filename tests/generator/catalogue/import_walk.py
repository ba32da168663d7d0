"""The other reading of the SDK: import it, walk its objects, and push a sentinel through every setter.

Run as a script in a process of its own, because the import costs seconds, 180 MB and a log handler on standard
output. It shares no code with the generator. Writes JSON to the path given:

    {"methods": {sdk: {http, route, tokens, path, query, body, response, multipart, download}}, "models": {class: fields}}

Types are texts for plain ones, else `{"array": type}`, `{"map": type}` or `{"object": class}`.
"""

import inspect
import json
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import lark_oapi

PLAIN = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    Any: "any",
    object: "any",
    list: "any",
}


class Sentinel:
    """A value no setter can confuse with anything, also not as text."""

    def __str__(self) -> str:
        return "<sentinel>"


class Walk:
    def __init__(self) -> None:
        self.models: dict[str, dict[str, Any]] = {}

    def methods(self) -> Iterator[tuple[str, dict[str, Any]]]:
        client = lark_oapi.Client.builder().app_id("cli_x").app_secret("x").build()
        for service, versions in sdk_attributes(client):
            for version, resources in sdk_attributes(versions):
                for resource, value in sdk_attributes(resources):
                    for name, function in public_functions(type(value)):
                        if not inspect.iscoroutinefunction(function):
                            yield f"{service}.{version}.{resource}.{name}", self.method(function)

    def method(self, function: Callable[..., Any]) -> dict[str, Any]:
        request_class, answer_class = function.__annotations__["request"], function.__annotations__["return"]
        fresh = request_class.builder().build()
        found: dict[str, Any] = {
            "http": fresh.http_method.name,
            "route": fresh.uri,
            "tokens": sorted(kind.name.lower() for kind in fresh.token_types),
            "path": [],
            "query": [],
            "body": None,
            "multipart": "MultipartEncoder" in function.__code__.co_names,
            "download": "BytesIO" in function.__code__.co_names,
        }
        for name, setter in public_functions(type(request_class.builder())):
            if name != "build":
                self.slot(found, request_class, name, setter)
        answer = self.fields(answer_class)
        assert answer.keys() <= {"data", "file", "file_name"}, answer_class
        found["response"] = answer.get("data")
        return found

    def slot(self, found: dict[str, Any], request_class: Any, name: str, setter: Callable[..., Any]) -> None:
        """What one setter changes in a fresh request."""
        (kind,) = (value for key, value in setter.__annotations__.items() if key != "return")
        sentinel = Sentinel()
        request = getattr(request_class.builder(), name)(sentinel).build()
        assert not request.headers and not request.files, (request_class, name)
        effects = [
            *request.queries,
            *request.paths.items(),
            *([request.body] if request.body is not None else []),
        ]
        assert len(effects) == 1, (request_class, name, effects)
        if request.body is not None:
            assert request.body is sentinel
            found["body"] = self.type(kind)
        for place, pairs in (("query", request.queries), ("path", list(request.paths.items()))):
            for wire, value in pairs:
                assert value == str(sentinel)
                found[place].append([wire, self.type(kind)])

    def type(self, kind: Any) -> Any:
        if kind in PLAIN:
            return PLAIN[kind]
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if origin is list:
            return {"array": self.type(arguments[0])}
        if origin is dict:
            assert arguments[0] is str
            return {"map": self.type(arguments[1])}
        if origin is IO:
            return "file"
        assert isinstance(kind, type) and kind.__module__.startswith("lark_oapi.api."), kind
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name not in self.models:
            self.models[name] = {}
            self.models[name] = self.fields(kind)
            check_builder(kind, self.models[name])
        return {"object": name}

    def fields(self, model: Any) -> dict[str, Any]:
        attributes = [name for name in vars(model()) if model.__module__.startswith("lark_oapi.api.")]
        inherited = ("raw", "code", "msg", "error") if issubclass(model, lark_oapi.BaseResponse) else ()
        assert [name for name in attributes if name not in inherited] == list(model._types), model
        return {name: self.type(kind) for name, kind in model._types.items()}


def check_builder(model: Any, fields: dict[str, Any]) -> None:
    """Every setter of a model's builder sets the attribute of its own name, and each field has a setter."""
    setters = [name for name, _ in public_functions(type(model.builder())) if name != "build"]
    assert setters == list(fields), model
    for name in setters:
        sentinel = Sentinel()
        assert getattr(getattr(model.builder(), name)(sentinel).build(), name) is sentinel, (model, name)


def sdk_attributes(value: Any) -> Iterator[tuple[str, Any]]:
    for name, attribute in vars(value).items():
        if type(attribute).__module__.startswith("lark_oapi.api."):
            yield name, attribute


def public_functions(kind: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in vars(kind).items():
        if inspect.isfunction(value) and not name.startswith("_"):
            yield name, value


if __name__ == "__main__":
    walk = Walk()
    Path(sys.argv[1]).write_text(json.dumps({"methods": dict(walk.methods()), "models": walk.models}))
