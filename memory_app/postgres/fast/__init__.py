"""The fast path: what replaces Django's ORM and its PostgreSQL backend where each millisecond counts.

`base`: Django sends `SELECT 1` on a kept connection before each request. Here its socket is polled instead. Gain: one
round trip a request.

`prepared_query`: Django writes the SQL of a QuerySet anew for each read, and the database plans it anew. Here it is
written once for a process and planned once for a connection. Gain: 1.3 of the 3.4 ms of processor of a stored turn, and
a quarter of a search in 1,000 rows.

`binary_protocol`: Django writes values as text into the text of the statement, and reads text back. Here they are sent
beside it in binary, and come back in binary. Gain, with the above: a search in 10,000 rows took 17 ms instead of 25.

`numbered_statement`: psycopg reads the text of a statement at each call, for parameters in it, and finds what it
prepared by that text. Here it is read once for a process, and prepared under a number; and BEGIN goes with the settings
of row security in one message. Gain: 0.1 ms a statement of 15,000 characters, 0.03 ms any other, and one round trip a
transaction.

`insert_rows`: Django's `bulk_create` asks each field for each value of each row. Here all values go beside one
statement. Gain: an insert of a memory took 0.04 ms of processor instead of 0.6.

All of it runs on Django's connection, in its transaction and under its row security; `connection.execute_wrapper` sees
each statement. It is for few statements: those of a request that an assistant waits for, and those that hold thousands
of values. Everything else uses the ORM.

To go without it, results being the same:

- `BACKEND` in `postgres/connection.py`: `"django.db.backends.postgresql"`
- `PreparedQuery(rows, …).first(**values)`: `rows.filter(**values).first()`
- `PreparedPair(first, second).all(**values)`: the rows of each, read one after the other
- `rows_by_id(model, spaces, ids)`: `model.objects.filter(space_id__in=spaces, id__in=ids)`
- `insert_rows(rows)`: `bulk_create(rows)`; `insert_pair(row, other)`: `save()` for each
- `fetch_dicts`, `fetch_tuples`, `execute_binary`, `execute_together`: `cursor.execute`
- `with sent_together():` nothing

Django looks for the backend itself in a module named `base`.
"""
