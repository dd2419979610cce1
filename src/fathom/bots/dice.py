"""Seeds of bots' dice, derived from one secret: no two purposes roll the same."""

from hashlib import blake2b
from typing import Final

import msgspec

SECRET_BYTES: Final = 32
SEED_BYTES: Final = 16


def derive_seed(secret: str, *purpose: str | int) -> int:
    """A seed for one purpose; who knows it learns nothing about the secret or other seeds."""
    if len(secret) < 2 * SEED_BYTES:
        raise ValueError("the secret is too short")
    key = blake2b(secret.encode(), digest_size=SECRET_BYTES).digest()
    text = msgspec.json.encode(purpose)
    return int.from_bytes(blake2b(text, key=key, digest_size=SEED_BYTES).digest(), "big")
