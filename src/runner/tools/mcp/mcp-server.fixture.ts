import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { McpProgram } from '../mcp-server.ts'

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

/** The tools of the server in these tests. */
const DEFINITIONS = [
  {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
  },
  { name: 'environment', inputSchema: { type: 'object' } },
  { name: 'fail', inputSchema: { type: 'object', properties: {} } },
  { name: 'flood', inputSchema: { type: 'object', properties: { bytes: { type: 'number' } } } },
  { name: 'hang', inputSchema: { type: 'object', properties: {} } },
  // Answers once a file next to its pid file exists, so that it is late on every machine.
  { name: 'late', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } },
  { name: 'twice', inputSchema: { type: 'object', properties: {} } },
  { name: 'stranger', inputSchema: { type: 'object', properties: {} } },
  { name: 'picture', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'complicated',
    inputSchema: {
      type: 'object',
      $defs: { name: { type: 'string', description: 'A name.' } },
      properties: {
        who: { $ref: '#/$defs/name' },
        when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        how: { oneOf: [{ const: 'fast' }, { const: 'slow' }] },
      },
      anyOf: [{ required: ['who'] }, { required: ['when'] }],
    },
  },
  {
    name: 'endless',
    inputSchema: {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
  },
]

// Shared by the program below and the HTTP server.
const ANSWER = `
function answer(message, environment) {
  const { method, params = {} } = message
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }
  }
  if (method === 'tools/list') return { tools: DEFINITIONS }
  const text = (text) => ({ content: [{ type: 'text', text }] })
  const given = params.arguments ?? {}
  switch (params.name) {
    case 'echo': return text('echo: ' + given.text)
    case 'environment': return text(JSON.stringify(environment))
    case 'fail': return { ...text('it is broken'), isError: true }
    case 'flood': return text('x'.repeat(given.bytes))
    case 'picture': return { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'text', text: 'a dot' }] }
    case 'hang':
    case 'late': return undefined
    default: return text('called')
  }
}
`

const PROGRAM = `
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const DEFINITIONS = ${JSON.stringify(DEFINITIONS)}
${ANSWER}
const [pidFile, mode] = process.argv.slice(2)
if (mode === 'broken') {
  console.error('no database')
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
setInterval(() => {}, 1000)
const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
writeFileSync(pidFile, process.pid + ' ' + child.pid)
console.log('listening')
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id === undefined) return
  if (mode === 'mute') return
  const result = answer(message, process.env)
  const say = (id, said = result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: said }) + '\\n')
  const tool = message.params?.name
  if (tool === 'late') {
    const look = setInterval(() => {
      if (!existsSync(pidFile + '.go')) return
      clearInterval(look)
      say(message.id, { content: [{ type: 'text', text: 'too late' }] })
    }, 10)
  }
  if (tool === 'stranger') say(987654)
  if (result !== undefined) say(message.id)
  if (tool === 'twice') say(message.id)
})
`

/** A program server that logs to stdout, ignores signals and has a detached child. */
export function programServer(
  folder: string,
  mode = 'normal',
): { readonly server: McpProgram; readonly pidFile: string; answerLate(): void } {
  const file = join(folder, 'server.mjs')
  const pidFile = join(folder, 'server.pid')
  writeFileSync(file, PROGRAM)
  const answerLate = (): void => writeFileSync(`${pidFile}.go`, '')
  return {
    server: { command: process.execPath, args: [file, pidFile, mode], env: { FROM_CONFIG: 'yes' } },
    pidFile,
    answerLate,
  }
}

/** An HTTP server, and the requests that it received. */
export async function addressServer(): Promise<{ readonly url: string; readonly seen: readonly IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const answer = new Function('DEFINITIONS', `${ANSWER}; return answer`)(DEFINITIONS)
  const server = createServer(async (request, response) => {
    seen.push(request)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const message = JSON.parse(Buffer.concat(parts).toString('utf8')) as Message
    if (message.id === undefined) return void response.writeHead(202).end()
    const result = answer(message, {})
    if (result === undefined) return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen }
}
