// All words that people read: message functions, and the language they speak.

export { m } from "./gen/messages.js";
export { tongue, LANGUAGES, type Language } from "./tongue.svelte";
