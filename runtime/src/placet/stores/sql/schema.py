"""The tables as they are now. `migrations` says how a database got here.

Times are Unix seconds, keys and digests hex sha256. Truth (ledger, approvals, documents, audit) and shared state
(leases, rate windows, tokens) are two components with versions of their own: SQLite keeps them in two files.
"""

import sqlalchemy as sa

__all__ = [
    "APPROVALS",
    "AUDIT",
    "CHAINS",
    "DOCUMENTS",
    "LEASES",
    "LEDGER",
    "RATE_SLOTS",
    "RATE_WINDOWS",
    "SCHEMA_VERSION",
    "SHARED",
    "TOKENS",
    "TRUTH",
]

COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TRUTH = sa.MetaData()
SHARED = sa.MetaData()

SCHEMA_VERSION = sa.Table(
    "placet_schema",
    sa.MetaData(),
    sa.Column("component", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)

LEDGER = sa.Table(
    "placet_ledger",
    TRUTH,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("tool", sa.Text, nullable=False),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("token", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("native_key", sa.Text, nullable=False),
    sa.Column("first_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False),
    sa.Column("lease_until", sa.Double, nullable=False),
    sa.Column("finished_at", sa.Double),
    sa.Column("result", sa.LargeBinary),
    sa.Column("error_class", sa.Text, nullable=False),
    sa.Column("resolved_by", sa.Text),
    sqlite_with_rowid=False,
)

AUDIT = sa.Table(
    "placet_audit",
    TRUTH,
    sa.Column("id", COUNTER, sa.Identity(), primary_key=True),
    sa.Column("chain", sa.Text, nullable=False),
    sa.Column("seq", COUNTER, nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("mac", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("chain", "seq", name="placet_audit_place"),
)

CHAINS = sa.Table(
    "placet_chains",
    TRUTH,
    sa.Column("chain", sa.Text, primary_key=True),
    sa.Column("opened_at", sa.Double, nullable=False),
    # 1 when another chain has anchored this one's `closed` record; such a chain is not anchored again.
    sa.Column("is_settled", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)

APPROVALS = sa.Table(
    "placet_approvals",
    TRUTH,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("conversation", sa.Text, nullable=False),
    sa.Column("requester", sa.Text, nullable=False),
    sa.Column("op_key", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("proposed_at", sa.Double, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
    sa.Column("lease_until", sa.Double, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("placet_approvals_of_tenant", "tenant", "state", "proposed_at"),
    sa.Index("placet_approvals_same", "digest"),
    sa.Index("placet_approvals_due", "state", "expires_at"),
    sqlite_with_rowid=False,
)

DOCUMENTS = sa.Table(
    "placet_documents",
    TRUTH,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("group", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("due_at", sa.Double),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("placet_documents_of_group", "kind", "tenant", "group"),
    sa.Index("placet_documents_due", "kind", "state", "due_at"),
    sqlite_with_rowid=False,
)

LEASES = sa.Table(
    "placet_leases",
    SHARED,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("token", COUNTER, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)

RATE_WINDOWS = sa.Table(
    "placet_rate_windows",
    SHARED,
    sa.Column("bucket", sa.Text, primary_key=True),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("taken", COUNTER, nullable=False),
    sqlite_with_rowid=False,
)

RATE_SLOTS = sa.Table(
    "placet_rate_slots",
    SHARED,
    sa.Column("bucket", sa.Text, primary_key=True),
    sa.Column("slot", sa.Integer, primary_key=True),
    sa.Column("taken_at", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)

TOKENS = sa.Table(
    "placet_tokens",
    SHARED,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
    sa.Column("version", COUNTER, nullable=False),
    sqlite_with_rowid=False,
)
