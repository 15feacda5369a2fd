/**
 * `node:http`, as `require` gets it. An `import` reads every export there is, and one of them (`WebSocket`) makes Node
 * load a second HTTP client: 40 ms of CPU time at each start, for what is never used here.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')
