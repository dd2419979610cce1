"""Other game servers, driven by the same clients: boardgame.io and Colyseus."""
