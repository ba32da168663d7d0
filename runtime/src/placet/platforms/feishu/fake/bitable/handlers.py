"""Bitable's routes over the state."""

import copy
import uuid
from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.fake.bitable.cells import TYPES
from placet.platforms.feishu.fake.bitable.errors import bitable_error
from placet.platforms.feishu.fake.bitable.search import Search
from placet.platforms.feishu.fake.bitable.state import Base, Bitable, Field, Record, Table
from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_APPS = "/open-apis/bitable/v1/apps"
_APP = f"{_APPS}/:app_token"
_TABLES = f"{_APP}/tables"
_TABLE = f"{_TABLES}/:table_id"
_FIELDS, _VIEWS, _RECORDS = f"{_TABLE}/fields", f"{_TABLE}/views", f"{_TABLE}/records"

_MOST_WRITTEN, _MOST_DELETED, _MOST_READ = 1000, 500, 100


def handlers(bitable: Bitable) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    apps, schema, records = _Apps(bitable), _Schema(bitable), _Records(bitable)
    return {
        ("POST", _APPS): apps.create,
        ("GET", _APP): apps.get,
        ("PUT", _APP): apps.update,
        ("POST", f"{_APP}/copy"): apps.copy,
        ("GET", _TABLES): schema.list_tables,
        ("POST", _TABLES): schema.create_table,
        ("PATCH", _TABLE): schema.rename_table,
        ("DELETE", _TABLE): schema.delete_table,
        ("GET", _FIELDS): schema.list_fields,
        ("POST", _FIELDS): schema.create_field,
        ("PUT", f"{_FIELDS}/:field_id"): schema.update_field,
        ("DELETE", f"{_FIELDS}/:field_id"): schema.delete_field,
        ("GET", _VIEWS): schema.list_views,
        ("POST", _VIEWS): schema.create_view,
        ("GET", f"{_VIEWS}/:view_id"): schema.get_view,
        ("PATCH", f"{_VIEWS}/:view_id"): schema.update_view,
        ("DELETE", f"{_VIEWS}/:view_id"): schema.delete_view,
        ("POST", _RECORDS): records.create,
        ("POST", f"{_RECORDS}/search"): records.search,
        ("POST", f"{_RECORDS}/batch_create"): records.batch_create,
        ("POST", f"{_RECORDS}/batch_update"): records.batch_update,
        ("POST", f"{_RECORDS}/batch_delete"): records.batch_delete,
        ("POST", f"{_RECORDS}/batch_get"): records.batch_get,
        ("PUT", f"{_RECORDS}/:record_id"): records.update,
        ("DELETE", f"{_RECORDS}/:record_id"): records.delete,
    }


class _Domain:
    def __init__(self, bitable: Bitable) -> None:
        self._bitable, self._world = bitable, bitable.world

    def _base(self, question: Question) -> Base:
        return self._bitable.base(question.path["app_token"])

    def _table(self, question: Question) -> Table:
        return self._base(question).table(question.path["table_id"])

    def _by(self, question: Question) -> str:
        return question.user or self._world.app


class _Apps(_Domain):
    def create(self, question: Question) -> Any:
        body = question.body
        base = self._bitable.add_base(
            str(body.get("name") or "多维表格"), time_zone=str(body.get("time_zone") or "Asia/Shanghai")
        )
        table = base.add_table("数据表")
        return {"app": {**base.as_wire(), "default_table_id": table.table_id}}

    def get(self, question: Question) -> Any:
        return {"app": self._base(question).as_wire()}

    def update(self, question: Question) -> Any:
        base, body = self._base(question), question.body
        base.name = body.get("name", base.name)
        base.is_advanced = body.get("is_advanced", base.is_advanced)
        return {"app": base.as_wire()}

    def copy(self, question: Question) -> Any:
        base, body = self._base(question), question.body
        made = self._bitable.add_base(str(body.get("name") or base.name), time_zone=base.time_zone)
        for table in base.tables.values():
            twin = Table(self._world, self._world.new_id("tbl"), table.name)
            twin.fields, twin.views = copy.deepcopy(table.fields), copy.deepcopy(table.views)
            if not body.get("without_content"):
                twin.records = copy.deepcopy(table.records)
            made.tables[twin.table_id] = twin
        return {"app": made.as_wire()}


class _Schema(_Domain):
    def list_tables(self, question: Question) -> Any:
        tables = self._base(question).tables.values()
        items = [{"table_id": one.table_id, "revision": 1, "name": one.name} for one in tables]
        return page_of(question.request, items, most=100)

    def create_table(self, question: Question) -> Any:
        given = question.body.get("table")
        if not isinstance(given, dict) or not given.get("name"):
            raise invalid_field("table.name", "is required")
        fields = given.get("fields") or [{"field_name": "文本", "type": 1}]
        names = [one.get("field_name") for one in fields]
        if len(set(names)) != len(names):
            raise bitable_error(1254014)
        if fields[0].get("type") not in (1, 2, 5, 13, 15, 20, 22):
            raise bitable_error(1254012)
        table = self._base(question).add_table(
            given["name"], {one["field_name"]: _spec(one) for one in fields}
        )
        return {
            "table_id": table.table_id,
            "default_view_id": next(iter(table.views)),
            "field_id_list": list(table.fields),
        }

    def rename_table(self, question: Question) -> Any:
        table, name = self._table(question), question.body.get("name")
        if any(one.name == name and one is not table for one in self._base(question).tables.values()):
            raise bitable_error(1254013)
        table.name = str(name)
        return {"name": table.name}

    def delete_table(self, question: Question) -> Any:
        base, table = self._base(question), self._table(question)
        if len(base.tables) == 1:
            raise bitable_error(1254034)
        del base.tables[table.table_id]
        return {}

    def list_fields(self, question: Question) -> Any:
        table, view_id = self._table(question), question.query("view_id")
        hidden = table.view(view_id).property.get("hidden_fields") or () if view_id else ()
        items = [one.as_wire() for one in table.fields.values() if one.field_id not in hidden]
        return page_of(question.request, items, most=100)

    def create_field(self, question: Question) -> Any:
        def create() -> Any:
            body = question.body
            made = self._table(question).add_field(_name(body), _spec(body), property=_settings(body))
            made.description = str((body.get("description") or {}).get("text", ""))
            return {"field": made.as_wire()}

        return self._world.once(question, _client_token(question), create)

    def update_field(self, question: Question) -> Any:
        def update() -> Any:
            table, body = self._table(question), question.body
            column = self._field(question)
            other = table.field_named(_name(body))
            if other is not None and other is not column:
                raise bitable_error(1254014)
            self._replace(table, column, body)
            return {"field": column.as_wire()}

        return self._world.once(question, _client_token(question), update)

    def _replace(self, table: Table, column: Field, body: dict[str, Any]) -> None:
        spec = _spec(body)
        look = spec if isinstance(spec, str) else spec[0]
        if column.type != TYPES[look]:
            for record in table.records.values():
                record.cells.pop(column.field_id, None)
        column.name, column.ui_type, column.type = _name(body), look, TYPES[look]
        kept = {one["name"]: one for one in column.property.get("options", ())}
        column.property = {key: value for key, value in _settings(body).items() if key != "options"}
        if not isinstance(spec, str):
            names = [str(one) for one in spec[1]]
            column.property["options"] = [kept[name] for name in names if name in kept]
            column.add_options(names)

    def delete_field(self, question: Question) -> Any:
        table, column = self._table(question), self._field(question)
        if column.is_primary:
            raise bitable_error(1254046)
        del table.fields[column.field_id]
        return {"field_id": column.field_id, "deleted": True}

    def _field(self, question: Question) -> Field:
        found = self._table(question).fields.get(question.path["field_id"])
        if found is None:
            raise bitable_error(1254044)
        return found

    def list_views(self, question: Question) -> Any:
        items = [view.as_wire() for view in self._table(question).views.values()]
        return page_of(question.request, items, most=100)

    def create_view(self, question: Question) -> Any:
        body = question.body
        made = self._table(question).add_view(
            str(body.get("view_name")), str(body.get("view_type") or "grid")
        )
        return {"view": made.as_wire()}

    def get_view(self, question: Question) -> Any:
        return {"view": self._table(question).view(question.path["view_id"]).as_wire()}

    def update_view(self, question: Question) -> Any:
        view, body = self._table(question).view(question.path["view_id"]), question.body
        view.name = body.get("view_name", view.name)
        view.property.update(body.get("property") or {})
        return {"view": view.as_wire()}

    def delete_view(self, question: Question) -> Any:
        table = self._table(question)
        del table.views[table.view(question.path["view_id"]).view_id]
        return {}


class _Records(_Domain):
    def create(self, question: Question) -> Any:
        def create() -> Any:
            table = self._table(question)
            (record,) = table.add_records([question.body.get("fields")], by=self._by(question))
            return {"record": self._written(table, record)}

        return self._world.once(question, _client_token(question), create)

    def batch_create(self, question: Question) -> Any:
        def create() -> Any:
            table, rows = self._table(question), _list(question.body, "records", _MOST_WRITTEN)
            made = table.add_records([_fields(one) for one in rows], by=self._by(question))
            return {"records": [self._written(table, record) for record in made]}

        return self._world.once(question, _client_token(question), create)

    def update(self, question: Question) -> Any:
        def update() -> Any:
            table = self._table(question)
            change = (question.path["record_id"], question.body.get("fields"))
            (record,) = table.update_records([change], by=self._by(question))
            return {"record": self._written(table, record)}

        return self._world.once(question, _client_token(question), update)

    def batch_update(self, question: Question) -> Any:
        def update() -> Any:
            table, rows = self._table(question), _list(question.body, "records", _MOST_WRITTEN)
            changes = [(str(one.get("record_id")), _fields(one)) for one in rows if isinstance(one, dict)]
            changed = table.update_records(changes, by=self._by(question))
            return {"records": [self._written(table, record) for record in changed]}

        return self._world.once(question, _client_token(question), update)

    def delete(self, question: Question) -> Any:
        record_id = question.path["record_id"]
        self._table(question).delete_records([record_id])
        return {"deleted": True, "record_id": record_id}

    def batch_delete(self, question: Question) -> Any:
        record_ids = _list(question.body, "records", _MOST_DELETED)
        self._table(question).delete_records(record_ids)
        return {"records": [{"deleted": True, "record_id": one} for one in record_ids]}

    def batch_get(self, question: Question) -> Any:
        table, body = self._table(question), question.body
        wanted = _list(body, "record_ids", _MOST_READ)
        system = bool(body.get("automatic_fields"))
        found = [table.records[one] for one in wanted if one in table.records]
        return {
            "records": [self._read(table, record, None, system) for record in found],
            "absent_record_ids": [one for one in wanted if one not in table.records],
            "forbidden_record_ids": [],
        }

    def search(self, question: Question) -> Any:
        base, table, body = self._base(question), self._table(question), question.body
        conditions, order = body.get("filter"), body.get("sort")
        names = body.get("field_names") or None
        if names is not None and any(table.field_named(name) is None for name in names):
            raise bitable_error(1254024)
        if body.get("view_id"):
            table.view(body["view_id"])
        search = Search(table, base.time_zone, self._world.millis())
        system = bool(body.get("automatic_fields"))
        items = [self._read(table, record, names, system) for record in search.find(conditions, order)]
        return page_of(question.request, items, most=500)

    def _read(self, table: Table, record: Record, names: Any, system: bool) -> dict[str, Any]:
        shown = {"record_id": record.record_id, "fields": table.as_read(record, names)}
        return {**shown, **self._stamps(record)} if system else shown

    def _written(self, table: Table, record: Record) -> dict[str, Any]:
        return {"record_id": record.record_id, "id": record.record_id, "fields": table.named(record)}

    def _stamps(self, record: Record) -> dict[str, Any]:
        return {
            "created_by": self._world.person(record.created_by),
            "created_time": record.created_time,
            "last_modified_by": self._world.person(record.last_modified_by),
            "last_modified_time": record.last_modified_time,
        }


def _client_token(question: Question) -> str | None:
    """The idempotency key, which must be a UUID of version 4 in its usual form."""
    key = question.query("client_token")
    if key:
        try:
            is_uuid4 = uuid.UUID(key).version == 4 and str(uuid.UUID(key)) == key.lower()
        except ValueError:
            is_uuid4 = False
        if not is_uuid4:
            raise invalid_field("client_token", "must be a uuidv4")
    return key


def _list(body: dict[str, Any], name: str, most: int) -> list[Any]:
    items = body.get(name)
    if not isinstance(items, list) or not items:
        raise invalid_field(name, "is required")
    if len(items) > most:
        raise bitable_error(1254104)
    return items


def _fields(row: Any) -> Any:
    return row.get("fields") if isinstance(row, dict) else None


def _name(body: dict[str, Any]) -> str:
    if not body.get("field_name"):
        raise invalid_field("field_name", "is required")
    return str(body["field_name"])


def _settings(body: dict[str, Any]) -> dict[str, Any]:
    return dict(body.get("property") or {})


def _spec(body: dict[str, Any]) -> str | tuple[str, list[str]]:
    """How a field looks, with its options."""
    number = body.get("type")
    usual = next((name for name, type_ in TYPES.items() if type_ == number), "")
    look = str(body.get("ui_type") or usual)
    if TYPES.get(look) != number:
        raise invalid_field("type", "does not fit ui_type")
    options = [str(one["name"]) for one in (_settings(body).get("options") or ())]
    return (look, options) if options or number in (3, 4) else look
