"""The peers of the gate, each as its own pages show it: a tool that returns a record, and requests without a guard."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import lark_oapi as lark
import orjson
from agents import function_tool
from agents.tool_context import ToolContext
from fastmcp import FastMCP
from lark_oapi.api.bitable.v1 import (
    BatchGetAppTableRecordRequest,
    BatchGetAppTableRecordRequestBody,
    SearchAppTableRecordRequest,
    SearchAppTableRecordRequestBody,
)

from tests.bench.calling import Call
from tests.bench.samples import (
    APP,
    FIELD_ARGUMENTS,
    GET_ARGUMENTS,
    LIST_ARGUMENTS,
    READ_CELLS,
    ROUTE,
    TABLE,
)

HEADERS = {"Authorization": "Bearer t-bench", "Content-Type": "application/json; charset=utf-8"}
RECORD = {"items": [{"record_id": "recABCDEF1234", "fields": READ_CELLS}]}


async def get_records(
    app_token: str, table_id: str, record_ids: list[str], system_fields: bool = False
) -> dict[str, Any]:
    """Read up to 100 records by their ids."""
    return RECORD


def in_memory() -> dict[str, Call]:
    """A tool of openai-agents and one of FastMCP, called with the same arguments."""
    logging.getLogger("fastmcp").setLevel(logging.ERROR)
    tool = function_tool(get_records, strict_mode=False)
    server = FastMCP("bench")
    server.tool(get_records)
    text = json.dumps(GET_ARGUMENTS)

    async def agents() -> None:
        context = ToolContext(context=None, tool_name="get_records", tool_call_id="c", tool_arguments=text)
        await tool.on_invoke_tool(context, text)

    async def fastmcp() -> None:
        await server.call_tool("get_records", GET_ARGUMENTS)

    return {"openai-agents": agents, "FastMCP": fastmcp}


def posted(session: aiohttp.ClientSession, url: str, body: dict[str, Any]) -> Call:
    """A request by hand: encoded, sent over a kept connection, its answer decoded."""

    async def post() -> None:
        async with session.post(url, data=orjson.dumps(body), headers=HEADERS) as answer:
            assert orjson.loads(await answer.read())["code"] == 0

    return post


def by_hand(session: aiohttp.ClientSession, base: str) -> dict[str, Call]:
    """The requests of a read, of a list and of a write."""
    table, user = base + ROUTE, "user_id_type=open_id"
    record_ids = {"record_ids": GET_ARGUMENTS["record_ids"], "user_id_type": "open_id"}
    size = LIST_ARGUMENTS["page_size"]
    field = {
        "field_name": FIELD_ARGUMENTS["name"],
        "type": 3,
        "ui_type": "SingleSelect",
        "property": {"options": FIELD_ARGUMENTS["options"]},
    }
    key = "client_token=0d5a7f7e-6a26-4f3f-9f0e-8c9f0f9f3f11"
    return {
        "read": posted(session, f"{table}/records/batch_get", record_ids),
        "list": posted(session, f"{table}/records/search?{user}&page_size={size}", {}),
        "write": posted(session, f"{table}/fields?{key}", field),
    }


def sdk(base: str) -> dict[str, Call]:
    """The SDK's read and list, synchronous and asynchronous."""
    client = (
        lark.Client.builder().app_id(APP).app_secret("s").domain(base).log_level(lark.LogLevel.ERROR).build()
    )
    records = client.bitable.v1.app_table_record

    def get() -> Any:
        body = BatchGetAppTableRecordRequestBody.builder().record_ids(GET_ARGUMENTS["record_ids"]).build()
        return (
            BatchGetAppTableRecordRequest.builder()
            .app_token(TABLE["app_token"])
            .table_id(TABLE["table_id"])
            .request_body(body)
            .build()
        )

    def search() -> Any:
        body = SearchAppTableRecordRequestBody.builder().build()
        request = (
            SearchAppTableRecordRequest.builder().app_token(TABLE["app_token"]).table_id(TABLE["table_id"])
        )
        return (
            request.user_id_type("open_id").page_size(LIST_ARGUMENTS["page_size"]).request_body(body).build()
        )

    async def read() -> None:
        assert records.batch_get(get()).success()

    async def read_async() -> None:
        assert (await records.abatch_get(get())).success()

    async def listed() -> None:
        assert len(records.search(search()).data.items) > 1

    async def listed_async() -> None:
        assert len((await records.asearch(search())).data.items) > 1

    return {"read": read, "read async": read_async, "list": listed, "list async": listed_async}


@contextmanager
def between_transactions(folder: Path, call: Call) -> Iterator[Call]:
    """The call between two transactions by `sqlite3` in one executor thread, each on disk before the next step.

    The first enters a row and a record, the second changes the row and adds a record: what a durable write needs.
    """
    with ThreadPoolExecutor(1) as thread:
        database = thread.submit(_database, folder / "bare.db").result()
        loop = asyncio.get_running_loop()
        number = iter(range(10**9))

        async def between() -> None:
            key = f"{next(number):064}"
            await loop.run_in_executor(thread, _begin, database, key)
            await call()
            await loop.run_in_executor(thread, _finish, database, key)

        yield between
        thread.submit(database.close).result()


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute(
        "CREATE TABLE ledger (key TEXT PRIMARY KEY, status TEXT, digest TEXT, result BLOB) WITHOUT ROWID"
    )
    database.execute("CREATE TABLE audit (id INTEGER PRIMARY KEY, body BLOB)")
    return database


ENTRY = b"x" * 400
RESULT = b"x" * 100


def _begin(database: sqlite3.Connection, key: str) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO audit (body) VALUES (?)", (ENTRY,))
    database.execute("INSERT INTO ledger VALUES (?, 'started', ?, NULL)", (key, key))
    database.execute("COMMIT")


def _finish(database: sqlite3.Connection, key: str) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE ledger SET status = 'succeeded', result = ? WHERE key = ?", (RESULT, key))
    database.execute("INSERT INTO audit (body) VALUES (?)", (ENTRY,))
    database.execute("COMMIT")
