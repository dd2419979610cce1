"""The fast core of Fathom. ``fathom.core`` in the package ``fathom-sonar`` is its Python side."""

from fathom_core._native import SHARED_HASH, NativeBatch, NativeBelief, NativeCore, layouts

__all__ = ["SHARED_HASH", "NativeBatch", "NativeBelief", "NativeCore", "layouts"]
