// Compiles the message catalogues into typed functions; vite does the same while building.
import { compile } from "@inlang/paraglide-js";
import { WORDS } from "./words-options.mjs";

await compile(WORDS);
