"""What was measured."""

import time
from array import array

from msgspec import Struct

from bench.server.process import MeasuredProcess, Several


class Figures(Struct, frozen=True, kw_only=True):
    """One stretch of load."""

    orders: int
    seconds: float
    server_cpu: float
    clients_cpu: float
    late: tuple[float, ...]
    """From each order to each of the enemy's screens that hear of it, in seconds, ascending."""
    memory: int = 0
    """Bytes of the server at the end."""

    @property
    def per_second(self) -> float:
        """Orders in a second."""
        return self.orders / self.seconds

    @property
    def cpu_per_order(self) -> float:
        """Microseconds of the server's core."""
        return 1e6 * self.server_cpu / max(1, self.orders)

    def quantile(self, part: float) -> float:
        """Milliseconds within which so many screens had it."""
        return 1000 * self.late[min(len(self.late) - 1, int(part * len(self.late)))]


class Stopwatch:
    """Measures a stretch of load, from when it is started."""

    def __init__(self, server: MeasuredProcess | Several) -> None:
        self.server = server
        self.orders = 0
        self.late = array("d")
        self.start()

    def start(self) -> None:
        """Begin here; what was before does not count."""
        self.orders = 0
        self.late = array("d")
        self.server_cpu, self.clients_cpu = self.server.cpu_seconds(), time.process_time()
        self.began = time.perf_counter()

    def stop(self) -> Figures:
        """All that was measured until now."""
        return Figures(
            orders=self.orders,
            seconds=time.perf_counter() - self.began,
            server_cpu=self.server.cpu_seconds() - self.server_cpu,
            clients_cpu=time.process_time() - self.clients_cpu,
            late=tuple(sorted(self.late)) or (0.0,),
            memory=self.server.memory(),
        )
