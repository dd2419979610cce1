/** How the catalogues are compiled, for vite and for the command line. */
export const WORDS = {
    project: "./project.inlang",
    outdir: "./src/words/gen",
    strategy: ["globalVariable", "baseLocale"],
    emitTsDeclarations: true,
    isServer: "false",
    outputStructure: "message-modules",
};
