"""Tables on the network: a server that keeps the secret and loses nothing."""
