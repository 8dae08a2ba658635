"""Answers in each of the shapes that HTTP has, also from behind proxies and over TLS, and broken ones."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from socket import create_server
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from memory_app.mcp_proxy.http_connection import BadResponse, HttpConnection, Response
from tests.mcp_proxy.conftest import Proxy
from tests.mcp_proxy.recording_server import recording_server

CHUNKS = b"ab0123456789"
OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def _server_that_says(answer: bytes) -> Iterator[int]:
    """Its port. It reads something once, answers that, and closes."""
    with create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def _answer(answer: bytes) -> Response:
    with _server_that_says(answer) as port:
        connection = HttpConnection("127.0.0.1", port, is_secure=False, answer_seconds=20)
        try:
            return connection.post("/mcp", {"Host": "x"}, b"{}")
        finally:
            connection.close()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (OK + b"Content-Length: 2\r\n\r\nab", (200, b"ab")),
        (OK + b"content-length:0\r\n\r\n", (200, b"")),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\nA\r\n0123456789\r\n0\r\nT: r\r\n\r\n", (200, CHUNKS)),
        (OK + b"\r\nuntil it ends", (200, b"until it ends")),
        (b"HTTP/1.0 502 Bad Gateway\nContent-Length: 1\n\nx", (502, b"x")),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 1\r\n\r\nx", (200, b"x")),
        (b"HTTP/1.1 204\r\n\r\n", (204, b"")),
    ],
)  # fmt: skip
def test_each_shape_of_an_answer_is_read(answer: bytes, expected: tuple[int, bytes]) -> None:
    response = _answer(answer)
    assert (response.status, response.body) == expected


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "the server ended the connection"),
        (OK + b"Content-Le", "the server ended the connection"),
        (OK + b"Content-Length: 5\r\n\r\nab", "the answer ended early"),
        (OK + b"Content-Length: -5\r\n\r\nab", "no length"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab", "the answer ended early"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nab\r\n", "the answer ended early"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nxy\r\n", "no chunk"),
        (b"SSH-2.0-OpenSSH\r\n", "no HTTP"),
        (b"x" * 70_000, "too long a line"),
        (OK + b"".join(b"X%d: y\r\n" % number for number in range(200)), "too many headers"),
    ],
)
def test_what_is_no_whole_answer_is_said(answer: bytes, reason: str) -> None:
    with pytest.raises((BadResponse, ConnectionResetError)) as raised:
        _answer(answer)
    assert reason in str(raised.value) or raised.type is ConnectionResetError


def _certificate(folder: Path) -> Path:
    """Of 127.0.0.1, signed by itself, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    file = folder / "server.pem"
    file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    return file


def test_an_address_of_https_is_spoken_to_in_tls_and_must_be_who_it_says(
    proxy: Callable[..., Proxy], tmp_path: Path
) -> None:
    file = _certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    with recording_server() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        url = f"https://127.0.0.1:{server.server_port}"
        trusting = proxy(KEEPSAKE_URL=url, KEEPSAKE_KEY="ks_1", SSL_CERT_FILE=str(file))
        assert [trusting.ask("ping")["result"] for _ in range(3)] == [{}, {}, {}]
        assert len(server.connections) <= 2  # see HttpConnection.is_reusable
        wary = proxy(KEEPSAKE_URL=url, KEEPSAKE_KEY="ks_1")
        assert "CERTIFICATE_VERIFY_FAILED" in wary.ask("ping")["error"]["message"]
        assert len(server.received) == 3
