// Portkey's gateway, the peer: node portkey.ts. Its own program, on a free port.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { answerQuestions } from './answer-questions.ts'

const PROGRAM = '@portkey-ai/gateway/build/start-server.js'

const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? (address?.port ?? 0) : 0
await new Promise((resolve) => server.close(resolve))

// It reads its settings from the command line, and writes a line for each start.
process.argv = [process.argv[0]!, 'portkey', `--port=${port}`, '--headless']
console.log = () => {}
const peers = fileURLToPath(new URL('../peers', import.meta.url))
await import(pathToFileURL(join(peers, 'node_modules', PROGRAM)).href)
answerQuestions(port)
