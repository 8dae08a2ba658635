"""The ordinary role that owns the database, so that row-level security binds it, and the vector extension."""

from psycopg import Connection, sql

from memory_app.postgres.cluster import DATABASE, ROLE, password_of
from memory_app.postgres.server import Server

# No superuser and no BYPASSRLS: FORCE ROW LEVEL SECURITY holds. CREATEDB: tests make a database of their own.
ATTRIBUTES = sql.SQL("LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE CREATEDB")


def prepare(server: Server) -> None:
    """Makes role, database and extension, once for each engine; what is there already is left as it is."""
    stamp = server.cluster.home / "prepared"
    engine = server.engine.folder.parent.parent.name
    if stamp.exists() and stamp.read_text() == engine:
        return
    with server.connect() as connection:
        _make_role(connection, password_of(server.cluster, ROLE))
        databases = [name for (name,) in connection.execute("SELECT datname FROM pg_database WHERE datallowconn")]
    # The extension is not a trusted one: only a superuser may create it. In template1 it reaches every later database.
    for name in databases:
        with server.connect(name) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute("ALTER EXTENSION vector UPDATE")
    if DATABASE not in databases:
        with server.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(ROLE))
            )
    stamp.write_text(engine)
    server.cluster.account.own(stamp, 0o600)


def _make_role(connection: Connection, password: str) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
    verb = sql.SQL("ALTER" if known else "CREATE")
    connection.execute(
        sql.SQL("{} ROLE {} {} PASSWORD {}").format(verb, sql.Identifier(ROLE), ATTRIBUTES, sql.Literal(password))
    )
