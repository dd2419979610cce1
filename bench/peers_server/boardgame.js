// A duel of two submarines for boardgame.io: the sheets of our game and its usual orders, but no
// rules. In memory, as it is by default. Usage: node boardgame.js PORT

import { createRequire } from "node:module";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");
const STEPS = { N: -16, S: 16, E: 1, W: -1 };
const LONGEST_ROUTE = 30;
const MOST_CROSSED = 8;
const MOST_CHARGED = 3;

const duel = {
  name: "duel",
  setup: () => ({ public: newPublic(), boats: [newBoat(), newBoat()], heard: [] }),
  // The enemy's sheets are secret.
  playerView: ({ G, playerID }) => ({
    ...G,
    boats: G.boats.map((boat, number) => (String(number) === playerID ? boat : null)),
  }),
  moves: {
    course: ({ G, playerID }, heading) => {
      const { helm, duty } = G.boats[Number(playerID)];
      if (helm.route.length >= LONGEST_ROUTE) helm.route = [];
      helm.route.push(helm.at);
      helm.at += STEPS[heading];
      Object.assign(duty, { charge: "box", cross: heading });
      G.public.turn.sailed = true;
      G.heard = [{ event: "course-set", crew: playerID, heading }];
    },
    charge: ({ G, playerID }, system) => {
      const { gauges, duty } = G.boats[Number(playerID)];
      gauges.boxes[system] = (gauges.boxes[system] + 1) % (MOST_CHARGED + 1);
      duty.charge = "none";
      G.heard = [];
    },
    crossOut: ({ G, playerID }, symbol) => {
      const { engine, duty } = G.boats[Number(playerID)];
      if (engine.crossed.length >= MOST_CROSSED) engine.crossed = [];
      engine.crossed.push(symbol);
      duty.cross = "none";
      G.heard = [];
    },
    endTurn: ({ G, playerID, events }) => {
      G.public.turn = { crew: playerID === "0" ? "1" : "0", left: 1, sailed: false };
      G.heard = [{ event: "turn-ended", crew: playerID }];
      events.endTurn();
    },
  },
};

function newPublic() {
  return {
    phase: "playing",
    dived: [true, true],
    surfaced: [false, false],
    turn: { crew: "0", left: 1, sailed: false },
    stop: null,
    awaited: null,
    damage: [0, 0],
    old_mines: [],
    result: null,
  };
}

function newBoat() {
  return {
    duty: { charge: "none", cross: "none", barred: "", ready: [] },
    helm: { at: 119, route: [], silent: [], mines: [], unarmed: [] },
    gauges: { boxes: { mine: 0, torpedo: 0, drone: 0, sonar: 0, silence: 0 }, energy: 0 },
    engine: { crossed: [] },
    radio: { films: [{ x: 0, y: 0, items: [] }], tape: [], locked: false },
  };
}

const server = Server({ games: [duel], origins: ["http://127.0.0.1"] });
server.run(Number(process.argv[2]), () => console.log("ready"));
