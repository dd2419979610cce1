"""The HTTP API keeps what its OpenAPI document says, whatever it is asked (schemathesis)."""

import asyncio
import sys
from pathlib import Path

import pytest

from fathom.engine import orders as give
from fathom.server.routes import ROUTES
from tests.server.serving import Server, duel_of, run, serving

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


@pytest.mark.slow
def test_the_api_keeps_what_it_says(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server)
            await bob.order(game, give.RESIGN)
            report, code = await schemathesis(server, ann.token, tmp_path)
            assert code == 0, report
            assert f"{len(ROUTES)} selected / {len(ROUTES)} total" in report
            assert server.harbour.metrics.faults == 0

    run(story())


@pytest.mark.slow
def test_the_operators_api_keeps_what_it_says(tmp_path: Path) -> None:
    token = "an-operators-token-of-this-server"  # noqa: S105

    async def story() -> None:
        async with serving(tmp_path, operator_token=token) as server:
            _, game, (_, bob) = await duel_of(server)
            await bob.order(game, give.RESIGN)
            # The one that drains would end the server that is asked.
            chosen = ("--include-path-regex", "^/api/admin/", "--exclude-path-regex", "drain$")
            report, code = await schemathesis(server, token, tmp_path, *chosen, examples=5)
            assert code == 0, report
            admin = [route for route in ROUTES if route.path.startswith("/api/admin/")]
            asked = [route for route in admin if not route.path.endswith("drain")]
            assert f"{len(asked)} selected / {len(ROUTES)} total" in report
            assert server.harbour.metrics.faults == 0

    run(story())


async def schemathesis(
    server: Server, token: str, folder: Path, *options: str, examples: int = 20
) -> tuple[str, int]:
    """What it reports, and whether it was content."""
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).parent / "schemathesis"),
        *("run", f"{server.url}/api/openapi.json", "--header", f"Authorization: Bearer {token}"),
        *("--checks", ",".join(CHECKS), "--phases", "coverage,fuzzing"),
        *("--max-examples", str(examples), "--seed", "1", "--no-color"),
        *options,
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return out.decode(), process.returncode or 0
