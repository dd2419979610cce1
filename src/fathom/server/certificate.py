"""A certificate of this machine's own, for `--tls`: phones trust it after one warning.

Browsers give a page the clipboard and the wake lock over HTTPS only, and in a living room there is
no name that a public authority would sign. So the server signs for itself, keeps the certificate
beside its games, and uses it as long as it names every address of the machine.
"""

import os
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from fathom.server.addresses import parsed
from fathom.server.data_folder import make_private_folder

FILE: Final = "fathom.pem"
"""Key and certificate, in one file that only its owner may read."""
VALID: Final = timedelta(days=397)
"""Browsers refuse certificates that are valid for longer."""
BACKDATED: Final = timedelta(days=1)
"""A phone's clock may be slow."""
RENEWED: Final = timedelta(days=30)
"""Before it runs out."""
MOST_NAMES: Final = 16


class CertificateUnusable(Exception):
    """Why there is no certificate, in one sentence for people."""


def tls_context(folder: Path, names: Iterable[str]) -> ssl.SSLContext:
    """What a server needs to speak TLS under these names and addresses."""
    place = folder / FILE
    try:
        ensure_certificate(place, names, datetime.now(UTC))
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(place)
    except (OSError, ValueError) as bad:
        reason = (isinstance(bad, OSError) and bad.strerror) or bad
        raise CertificateUnusable(f"the certificate {place} can't be used: {reason}") from None
    return context


def ensure_certificate(place: Path, names: Iterable[str], now: datetime) -> None:
    """Make a certificate, unless the one that is there will do.

    A new one is one more warning on every phone; so it keeps the names of the one before it, and a
    laptop that goes back to yesterday's network needs no other.
    """
    wanted = list(dict.fromkeys(names))
    before = read_certificate(place)
    had = names_of(before) if before is not None else []
    if (
        before is not None
        and set(wanted) <= set(had)
        and before.not_valid_after_utc > now + RENEWED
    ):
        return
    every = list(dict.fromkeys([*wanted, *had]))[:MOST_NAMES]
    write_private(place, make_certificate(every, now))


def read_certificate(place: Path) -> x509.Certificate | None:
    """The certificate in a file; None if there is no file."""
    if not place.exists():
        return None
    return x509.load_pem_x509_certificate(place.read_bytes())


def names_of(certificate: x509.Certificate) -> list[str]:
    """All names and addresses that it is for."""
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(name.value) for name in found]


def make_certificate(names: list[str], now: datetime) -> bytes:
    """A new key and a certificate for it, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fathom on this network")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now - BACKDATED + VALID)
        .add_extension(x509.SubjectAlternativeName(map(general_name, names)), critical=False)
        # It signs nothing: whoever steals the key can pose as this server, and as nobody else.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + certificate.public_bytes(Encoding.PEM)


def general_name(name: str) -> x509.GeneralName:
    if parsed(name) is not None:
        return x509.IPAddress(ip_address(name))
    return x509.DNSName(name)


def write_private(place: Path, content: bytes) -> None:
    """Write a file that only its owner may read; it is whole, or as it was before."""
    make_private_folder(place.parent)
    new = place.with_name(f"{place.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    new.replace(place)
