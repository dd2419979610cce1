"""The fast core's Python side: what fathom and the optional package ``fathom-core`` agree on."""
