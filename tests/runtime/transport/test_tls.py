"""TLS is verified, and nothing can turn that off."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from placet.transport import TransportError, TransportReason
from placet.transport.pool import Transport
from tests.runtime.transport.loopback import Loopback, answer, read_request, request, serve, tenant

pytestmark = pytest.mark.anyio


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_path, key_path = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert_path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return cert_path, key_path


async def answers(here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await read_request(here, n, reader)
        writer.write(answer())
        await writer.drain()


async def send(transport: Transport, base: str) -> int:
    with anyio.fail_after(5):
        got = await transport.send(request(base), tenant(base), deadline_s=4)
    return got.status


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_only_a_trusted_certificate_of_the_host_is_spoken_to(
    certificate: tuple[Path, Path], host: str
) -> None:
    """An unknown issuer and a certificate of another host get no byte of the request; a trusted one does."""
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(*certificate)
    trusting = Transport(lambda _: "", ssl_context=ssl.create_default_context(cafile=certificate[0]))
    plain = Transport(lambda _: "")
    async with serve(answers, tls=server) as here:
        base = here.base.replace("127.0.0.1", host)
        with pytest.raises(TransportError) as caught:
            await send(plain, base)
        if host == "127.0.0.1":
            assert await send(trusting, base) == 200
        else:
            with pytest.raises(TransportError) as wrong_host:
                await send(trusting, base)
            assert (wrong_host.value.sent, wrong_host.value.reason) == (False, TransportReason.TLS)
        await trusting.close()
        await plain.close()

    assert (caught.value.sent, caught.value.reason) == (False, TransportReason.TLS)
    assert len(here.requests) == (1 if host == "127.0.0.1" else 0)


def test_a_context_that_does_not_verify_is_refused() -> None:
    """Neither certificates nor host names may go unchecked."""
    lax = ssl.create_default_context()
    lax.check_hostname = False
    laxer = ssl.create_default_context()
    laxer.check_hostname = False
    laxer.verify_mode = ssl.CERT_NONE

    for context in (lax, laxer):
        with pytest.raises(ValueError, match="verifies"):
            Transport(lambda _: "", ssl_context=context)
