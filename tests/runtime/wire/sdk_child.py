"""The real SDK in a process of its own: one JSON line in, one request out, one JSON line back.

Importing the SDK costs seconds and it logs to standard output, so replies go to the descriptor that standard output
was at the start, and everything else to standard error. Each call gets a fresh request and a fresh option, because
the SDK changes both.
"""

import base64
import inspect
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any, get_args, get_origin


def main(domain: str) -> None:
    """Serve until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sender = _Sender(domain)
    for line in sys.stdin:
        call = json.loads(line)
        try:
            reply = {"case": call["case"], "mistyped": sender.send(call)}
        except Exception as error:  # the parent lists it as what the SDK does with this call
            reply = {"case": call["case"], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=replies, flush=True)


class _Sender:
    def __init__(self, domain: str) -> None:
        import lark_oapi

        self._lark = lark_oapi
        self._domain = domain
        self._client = (
            lark_oapi.Client.builder()
            .app_id("cli_a1")
            .app_secret("secret")
            .domain(domain)
            .enable_set_token(True)
            .log_level(lark_oapi.LogLevel.ERROR)
            .build()
        )

    def send(self, call: dict[str, Any]) -> dict[str, str]:
        """Send a call; query names whose values are not of the annotated type, with that type."""
        option, mistyped = self._option(call), dict[str, str]()
        if call["sdk"].startswith("supplement:"):
            self._client.request(self._raw_request(call), option)
        else:
            method = self._method(call["sdk"])
            method(self._request(method, call, mistyped), option)
        return mistyped

    def _option(self, call: dict[str, Any]) -> Any:
        builder = self._lark.RequestOption.builder().headers({**call["headers"], "X-Case": call["case"]})
        kind = f"{call['identity']}_access_token"
        return getattr(builder, kind)(call["token"]).build()

    def _method(self, dotted: str) -> Callable[..., Any]:
        found: Any = self._client
        for part in dotted.split("."):
            found = getattr(found, part)
        method: Callable[..., Any] = found
        return method

    def _request(self, method: Callable[..., Any], call: dict[str, Any], mistyped: dict[str, str]) -> Any:
        """The request as a user of the SDK builds it: setters by name, typed as annotated, the body as a model."""
        builder = inspect.signature(method).parameters["request"].annotation.builder()
        for name, value in call["path"].items():
            _setter(builder, name)(value)
        for name in dict.fromkeys(name for name, _ in call["query"]):
            setter = _setter(builder, name)
            values = [value for key, value in call["query"] if key == name]
            try:
                setter(_typed(setter, values))
            except ValueError:
                mistyped[name] = str(_only_parameter(setter).__name__)
                setter(values[0])
        if "body" in call:
            model = _only_parameter(builder.request_body)
            builder.request_body(self._lark.JSON.unmarshal(json.dumps(call["body"]), model))
        if "form" in call:
            builder.request_body(_form(_only_parameter(builder.request_body), call["form"]))
        return builder.build()

    def _raw_request(self, call: dict[str, Any]) -> Any:
        kind = self._lark.AccessTokenType[call["identity"].upper()]
        builder = (
            self._lark.BaseRequest.builder()
            .http_method(self._lark.HttpMethod[call["http"]])
            .uri(call["route"])
            .token_types({kind})
            .paths(call["path"])
            .queries([(name, value) for name, value in call["query"]])
        )
        return (builder.body(call["body"]) if "body" in call else builder).build()


def _setter(builder: Any, name: str) -> Callable[[Any], Any]:
    """The builder's setter of a wire name; names that Python keeps for itself end in an underscore."""
    setter: Callable[[Any], Any] = getattr(builder, name, None) or getattr(builder, f"{name}_")
    return setter


def _only_parameter(setter: Callable[..., Any]) -> Any:
    (parameter,) = inspect.signature(setter).parameters.values()
    return parameter.annotation


def _typed(setter: Callable[..., Any], values: list[str]) -> Any:
    """A query's texts as the setter's annotation wants them."""
    wanted = _only_parameter(setter)
    if get_origin(wanted) is list:
        return [_scalar(get_args(wanted)[0], value) for value in values]
    (value,) = values
    return _scalar(wanted, value)


def _scalar(wanted: Any, value: str) -> Any:
    if wanted is bool:
        return {"true": True, "false": False}[value]
    return wanted(value) if wanted in (int, float) else value


def _form(model: Any, parts: list[list[Any]]) -> Any:
    body = model()
    for name, value in parts:
        if isinstance(value, dict):
            content = io.BytesIO(base64.b64decode(value["content"]))
            setattr(body, name, (value["name"], content, value["media_type"]))
        else:
            setattr(body, name, value)
    return body


if __name__ == "__main__":
    main(sys.argv[1])
