"""The server under load: real processes, real sockets, a durable log."""
