// A duel for Colyseus, as small as it can be: an order, seen by the enemy in the room's state, which
// is sent at the rate that is the default. Usage: node colyseus.js PORT

import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const Heard = schema({ crew: t.uint8(), order: t.string(), number: t.uint32() });

class Duel extends Room {
  maxClients = 2;
  state = new Heard();
  crews = new Map();

  onCreate() {
    this.onMessage("order", (client, order) => {
      this.state.crew = this.crews.get(client.sessionId);
      this.state.order = order;
      this.state.number += 1;
    });
  }

  onJoin(client) {
    this.crews.set(client.sessionId, this.crews.size);
    this.state.number ??= 0;
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("duel", Duel);
await server.listen(Number(process.argv[2]), "127.0.0.1");
console.log("ready");
