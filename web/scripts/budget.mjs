// The first screen must stay light: its JavaScript and CSS together, compressed.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const MOST = 150 * 1024;
const dist = new URL("../dist/", import.meta.url).pathname;
const html = readFileSync(join(dist, "index.html"), "utf8");

/** The files that the page names, and all that those import at once. */
function needed() {
    const found = new Set();
    const queue = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
        ([, file]) => file,
    );
    while (queue.length) {
        const file = queue.pop();
        if (found.has(file)) continue;
        found.add(file);
        if (!file.endsWith(".js")) continue;
        const text = readFileSync(join(dist, file), "utf8");
        for (const [, other] of text.matchAll(
            /(?:^|[;\s}])import\s*(?:[\w*{}\s,$]+from\s*)?["']\.\/([^"']+\.js)["']/g,
        ))
            queue.push(`assets/${other}`);
    }
    return [...found];
}

let sum = 0;
for (const file of needed()) {
    const size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    sum += size;
    console.log(`${(size / 1024).toFixed(1).padStart(7)} KB  ${file}`);
}
console.log(`${(sum / 1024).toFixed(1).padStart(7)} KB  first screen, of ${MOST / 1024} KB`);
console.log(`        ${readdirSync(join(dist, "assets")).length} files in all`);
if (sum > MOST) process.exit(1);
