"""Bases with their tables, fields, records and views; what handlers change and tests look at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from placet.platforms.feishu.fake.bitable.cells import TYPES, read_value, stored_value
from placet.platforms.feishu.fake.bitable.errors import bitable_error
from placet.platforms.feishu.fake.world import World

__all__ = ["Base", "Bitable", "Field", "Record", "Table", "View"]

FieldSpec = str | tuple[str, Sequence[str]]
"""A look (`"Text"`), or a look with its options (`("SingleSelect", ["待办", "完成"])`)."""


@dataclass(kw_only=True)
class Field:
    """A column. `property` is the wire's own."""

    field_id: str
    name: str
    type: int
    ui_type: str
    property: dict[str, Any] = field(default_factory=dict)
    description: str = ""
    is_primary: bool = False

    def add_options(self, names: Iterable[str]) -> None:
        """Options that are missing, as the platform adds them when a record names a new one."""
        options = self.property.setdefault("options", [])
        known = {one["name"] for one in options}
        for name in names:
            if name not in known:
                options.append({"name": name, "id": f"opt{len(options) + 1:06d}", "color": len(options) % 54})
                known.add(name)

    def as_wire(self) -> dict[str, Any]:
        return {
            "field_id": self.field_id,
            "field_name": self.name,
            "type": self.type,
            "ui_type": self.ui_type,
            "property": self.property or None,
            "description": self.description,
            "is_primary": self.is_primary,
            "is_hidden": False,
        }


@dataclass(kw_only=True)
class View:
    """A view; a form is one of type form."""

    view_id: str
    name: str
    type: str = "grid"
    property: dict[str, Any] = field(default_factory=dict)

    def as_wire(self) -> dict[str, Any]:
        return {
            "view_id": self.view_id,
            "view_name": self.name,
            "view_type": self.type,
            "property": self.property or None,
        }


@dataclass(kw_only=True)
class Record:
    """A row. `cells` is field id to value, empty ones left out; times in Unix ms."""

    record_id: str
    cells: dict[str, Any]
    created_by: str
    created_time: int
    last_modified_by: str
    last_modified_time: int


class Table:
    """A table.

    Attributes:
        fields, views, records: By id, in order.
    """

    def __init__(self, world: World, table_id: str, name: str) -> None:
        self._world = world
        self.table_id, self.name = table_id, name
        self.fields: dict[str, Field] = {}
        self.views: dict[str, View] = {}
        self.records: dict[str, Record] = {}

    @property
    def values(self) -> list[dict[str, Any]]:
        """Each record's cells by field name, as they are kept; for assertions."""
        return [self.named(record) for record in self.records.values()]

    def named(self, record: Record) -> dict[str, Any]:
        return {
            one.name: record.cells[one.field_id]
            for one in self.fields.values()
            if one.field_id in record.cells
        }

    def add_field(self, name: str, spec: FieldSpec, *, property: Mapping[str, Any] | None = None) -> Field:
        """Add a column.

        Raises:
            ApiError: the name is taken.
        """
        ui_type, options = (spec, ()) if isinstance(spec, str) else spec
        if self.field_named(name) is not None:
            raise bitable_error(1254014)
        made = Field(
            field_id=self._world.new_id("fld"),
            name=name,
            type=TYPES[ui_type],
            ui_type=ui_type,
            property={key: value for key, value in (property or {}).items() if key != "options"},
            is_primary=not self.fields,
        )
        if options:
            made.add_options(options)
        self.fields[made.field_id] = made
        return made

    def add_view(self, name: str, type: str = "grid") -> View:
        """Add a view.

        Raises:
            ApiError: the name is taken.
        """
        if any(view.name == name for view in self.views.values()):
            raise bitable_error(1254020)
        made = View(view_id=self._world.new_id("vew"), name=name, type=type)
        self.views[made.view_id] = made
        return made

    def add_records(self, rows: Sequence[Any], *, by: str = "") -> list[Record]:
        """Add rows, all or none.

        Args:
            rows: Field name to value as written, each.
            by: Who adds them.
        Raises:
            ApiError: a field is unknown or a value does not fit; nothing was added.
        """
        checked = [self._cells(row) for row in rows]
        now = self._world.millis()
        made = [
            Record(
                record_id=self._world.new_id("rec"),
                cells={key: value for key, value in cells.items() if value is not None},
                created_by=by,
                created_time=now,
                last_modified_by=by,
                last_modified_time=now,
            )
            for cells in checked
        ]
        self.records.update((record.record_id, record) for record in made)
        return made

    def update_records(self, changes: Sequence[tuple[str, Any]], *, by: str = "") -> list[Record]:
        """Change named cells of rows, all or none; None empties a cell.

        Raises:
            ApiError: a record or field is unknown or a value does not fit; nothing was changed.
        """
        checked = [(self.record(record_id), self._cells(row)) for record_id, row in changes]
        for record, cells in checked:
            for field_id, value in cells.items():
                if value is None:
                    record.cells.pop(field_id, None)
                else:
                    record.cells[field_id] = value
            record.last_modified_by, record.last_modified_time = by, self._world.millis()
        return [record for record, _ in checked]

    def delete_records(self, record_ids: Sequence[str]) -> None:
        """Delete rows, all or none.

        Raises:
            ApiError: a record is unknown; nothing was deleted.
        """
        for record_id in record_ids:
            self.record(record_id)
        for record_id in record_ids:
            self.records.pop(record_id, None)

    def record(self, record_id: str) -> Record:
        """
        Raises:
            ApiError: there is no such record.
        """
        found = self.records.get(record_id)
        if found is None:
            raise bitable_error(1254043)
        return found

    def view(self, view_id: str) -> View:
        """
        Raises:
            ApiError: there is no such view.
        """
        found = self.views.get(view_id)
        if found is None:
            raise bitable_error(1254042)
        return found

    def field_named(self, name: str) -> Field | None:
        return next((one for one in self.fields.values() if one.name == name), None)

    def as_read(self, record: Record, names: Sequence[str] | None = None) -> dict[str, Any]:
        """A record's fields as a read answers them."""
        return {
            one.name: read_value(one, record.cells[one.field_id], self._world)
            for one in self.fields.values()
            if one.field_id in record.cells and (names is None or one.name in names)
        }

    def _cells(self, row: Any) -> dict[str, Any]:
        if not isinstance(row, dict):
            raise bitable_error(1254001)
        cells = {}
        for name, value in row.items():
            column = self.field_named(name)
            if column is None:
                raise bitable_error(1254045)
            cells[column.field_id] = None if value is None else stored_value(column, value)
        return cells


class Base:
    """A base (`app` in the platform's routes) with its tables by id, in order."""

    def __init__(self, world: World, app_token: str, name: str, time_zone: str) -> None:
        self._world = world
        self.app_token, self.name, self.time_zone = app_token, name, time_zone
        self.is_advanced = False
        self.tables: dict[str, Table] = {}

    def add_table(self, name: str, fields: Mapping[str, FieldSpec] | None = None) -> Table:
        """Add a table with its fields and a first view.

        Raises:
            ApiError: the name is taken, or two fields have one name.
        """
        if any(table.name == name for table in self.tables.values()):
            raise bitable_error(1254013)
        made = Table(self._world, self._world.new_id("tbl"), name)
        for field_name, spec in (fields or {"文本": "Text"}).items():
            made.add_field(field_name, spec)
        made.add_view("表格")
        self.tables[made.table_id] = made
        return made

    def table(self, table_id: str) -> Table:
        """
        Raises:
            ApiError: there is no such table.
        """
        found = self.tables.get(table_id)
        if found is None:
            raise bitable_error(1254041)
        return found

    def as_wire(self) -> dict[str, Any]:
        return {
            "app_token": self.app_token,
            "name": self.name,
            "revision": 1,
            "is_advanced": self.is_advanced,
            "time_zone": self.time_zone,
            "url": f"https://example.feishu.cn/base/{self.app_token}",
        }


class Bitable:
    """A tenant's bases by token."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.bases: dict[str, Base] = {}

    def add_base(self, name: str = "多维表格", *, time_zone: str = "Asia/Shanghai") -> Base:
        """Add an empty base."""
        made = Base(self.world, self.world.new_id("bascn"), name, time_zone)
        self.bases[made.app_token] = made
        return made

    def base(self, app_token: str) -> Base:
        """
        Raises:
            ApiError: there is no such base.
        """
        found = self.bases.get(app_token)
        if found is None:
            raise bitable_error(1254040)
        return found
