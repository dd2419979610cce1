"""nginx and Caddy, as operators are told to run them, with what they must fill in filled in."""

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.postgres import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
STARTING_SECONDS = 20.0
NGINX = """
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/log;
worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/fathom.conf;
}}
"""
"""What is around the operator's file in a distribution's nginx."""
CADDY = """
{{
    admin off
    storage file_system {folder}/storage
    local_certs
    skip_install_trust
    auto_https disable_redirects
}}
import {folder}/fathom.caddy
"""
"""Certificates of its own instead of those that it would get for a name in the net."""


class Proxy:
    """What stands before the servers: how it is started, and whom clients must trust."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.host = f"localhost:{self.port}"
        self.url = f"https://{self.host}"
        self.command: list[str] = []
        self.authority = folder / "authority.pem"

    def context(self) -> ssl.SSLContext:
        """What a client checks the certificate with."""
        return ssl.create_default_context(cafile=str(self.authority))

    def filled_in(self, name: str, *filled: tuple[str, str]) -> str:
        """The file that operators are given, with what is theirs to change."""
        text = (DEPLOY / name).read_text()
        for given, own in filled:
            assert given in text, f"{given} in {name}"
            text = text.replace(given, own)
        return text


def nginx(folder: Path, servers: tuple[int, int]) -> Proxy:
    """nginx, with a certificate that we signed ourselves."""
    proxy = Proxy(folder)
    program = found("nginx")
    key = folder / "key.pem"
    certify(proxy.authority, key)
    filled = proxy.filled_in(
        "nginx.conf",
        ("listen 443 ", f"listen {proxy.port} "),
        ("server_name sonar.example", "server_name localhost"),
        ("/etc/letsencrypt/live/sonar.example/fullchain.pem", str(proxy.authority)),
        ("/etc/letsencrypt/live/sonar.example/privkey.pem", str(key)),
        *addresses(servers),
    )
    (folder / "fathom.conf").write_text(filled)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))
    proxy.command = [program, "-e", f"{folder}/log", "-c", f"{folder}/nginx.conf"]
    return proxy


def caddy(folder: Path, servers: tuple[int, int]) -> Proxy:
    """Caddy, with its own authority."""
    proxy = Proxy(folder)
    program = found("caddy")
    proxy.authority = folder / "storage" / "pki" / "authorities" / "local" / "root.crt"
    host = ("sonar.example {", f"{proxy.host} {{")
    filled = proxy.filled_in("Caddyfile", host, *addresses(servers))
    (folder / "fathom.caddy").write_text(filled)
    (folder / "Caddyfile").write_text(CADDY.format(folder=folder))
    proxy.command = [program, "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]
    return proxy


PROXIES = {"nginx": nginx, "caddy": caddy}


def addresses(servers: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    return tuple((f"10.0.0.{n}:8470", f"127.0.0.1:{port}") for n, port in enumerate(servers, 1))


def found(program: str) -> str:
    """Where a program is; Debian keeps some of them from those who are not root."""
    where = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if where is None:
        pytest.skip(f"{program} is not installed (Debian, Ubuntu: apt install {program})")
    return where


def certify(certificate: Path, key: Path) -> None:
    """A key, and a certificate for this machine that it signs itself."""
    asked = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    places = ("-keyout", str(key), "-out", str(certificate))
    command = [found("openssl"), "req", "-x509", *asked, *names, *places]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603


@contextmanager
def running(proxy: Proxy) -> Iterator[Proxy]:
    """A proxy that is there for a while."""
    environment = {**os.environ, "HOME": str(proxy.folder), "XDG_DATA_HOME": str(proxy.folder)}
    with (proxy.folder / "log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603
            proxy.command, stdout=log, stderr=log, env=environment, cwd=proxy.folder
        )
    try:
        wait(proxy, process)
        yield proxy
    finally:
        process.terminate()
        process.wait(STARTING_SECONDS)


def wait(proxy: Proxy, process: "subprocess.Popen[bytes]") -> None:
    """Until it greets as the one that its certificate names."""
    until = time.monotonic() + STARTING_SECONDS
    while not greets(proxy):
        if time.monotonic() > until or process.poll() is not None:
            raise AssertionError((proxy.folder / "log").read_text())
        time.sleep(0.05)


def greets(proxy: Proxy) -> bool:
    try:
        with socket.create_connection(("localhost", proxy.port), 5) as plain:
            proxy.context().wrap_socket(plain, server_hostname="localhost").close()
    except OSError:
        return False
    return True
