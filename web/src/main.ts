import { mount } from "svelte";
import "./css/tokens.css";
import "./css/room.css";
import "./css/frame.css";
import App from "./App.svelte";
import "./settings/settings.svelte";

mount(App, { target: document.getElementById("app")! });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener(
    "load",
    () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined),
  );
}
