"""Run in an extended copy of the package: each rulebook's scenarios, as clients are told."""

import json

from fathom.server.shelves import library_text

if __name__ == "__main__":
    print(json.dumps(json.loads(library_text())["played"]))
