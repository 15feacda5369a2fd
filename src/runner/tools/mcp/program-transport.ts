import { once } from 'node:events'
import { type JSONRPCMessage, type MCPTransport, validateJSONRPCMessage } from '@ai-sdk/mcp'
import { PROGRAM_GRACE_MS, type ToolProgram } from '../processes/programs.ts'

// A message is one line, which is held in memory until it ends.
const LONGEST_MESSAGE = 16 * 1024 * 1024
const KEPT_ERROR_BYTES = 2_000
// How long to wait for the last output of a program that has closed its input.
const LAST_WORDS_MS = 1_000

/** An MCP transport over a program's standard input and output. Closing it ends the whole process tree. */
export interface ProgramTransport extends MCPTransport {
  /** The end of the program's standard error, which says why it ended. */
  lastWords(): string
}

/** `onStray` is called for an unexpected answer: late, duplicate, or not requested. */
export function createProgramTransport(start: () => ToolProgram, onStray: () => void = () => {}): ProgramTransport {
  let program: ToolProgram | null = null
  let errors = Buffer.alloc(0)

  /** Waits for standard error, which may arrive after the pipe has broken or the program has exited, to know why it ended. */
  async function untilSaid(): Promise<void> {
    const stderr = program?.child.stderr
    if (!stderr || stderr.closed) return
    const signal = AbortSignal.timeout(LAST_WORDS_MS)
    await once(stderr, 'close', { signal }).catch(() => {})
  }

  const transport: ProgramTransport = {
    async start() {
      const started = start()
      program = started
      const { stdout, stderr, stdin } = started.child
      stderr?.on('data', (chunk: Buffer) => {
        errors = Buffer.concat([errors, chunk]).subarray(-KEPT_ERROR_BYTES)
      })
      stdin?.on('error', (error) => transport.onerror?.(error))
      const lines = createLineReader((line) => receive(transport, line, onStray))
      stdout?.on('data', (chunk: Buffer) => {
        if (lines.add(chunk)) return
        transport.onerror?.(new Error(`The server sent more than ${LONGEST_MESSAGE} bytes in one message.`))
        void transport.close()
      })
      started.child.once('exit', () => void untilSaid().then(() => transport.onclose?.()))
      await new Promise<void>((resolve, reject) => {
        started.child.once('spawn', resolve)
        started.child.once('error', reject)
      })
    },
    async send(message) {
      const stdin = program?.child.stdin
      if (!stdin?.writable) throw new Error('The server has ended.')
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) void untilSaid().then(() => reject(error))
          else resolve()
        })
      })
    },
    async close() {
      program?.child.stdin?.destroy()
      await program?.end(PROGRAM_GRACE_MS, 'SIGTERM')
    },
    lastWords: () => errors.toString('utf8').trim(),
  }
  return transport
}

/** Never throws: some servers log to stdout, or send unexpected answers. */
function receive(transport: MCPTransport, line: string, onStray: () => void): void {
  let message: JSONRPCMessage
  try {
    message = validateJSONRPCMessage(JSON.parse(line))
  } catch (error) {
    transport.onerror?.(error as Error)
    return
  }
  try {
    transport.onmessage?.(message)
  } catch (error) {
    transport.onerror?.(error as Error)
    if (!('method' in message)) onStray()
  }
}

/** Cuts bytes into lines. `add` returns `false` when a line is too long. */
function createLineReader(onLine: (line: string) => void) {
  let parts: Buffer[] = []
  let length = 0
  return {
    add(chunk: Buffer): boolean {
      let rest = chunk
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8')
        parts = []
        length = 0
        rest = rest.subarray(end + 1)
        if (line.trim() !== '') onLine(line)
      }
      parts.push(rest)
      length += rest.length
      if (length <= LONGEST_MESSAGE) return true
      parts = []
      return false
    },
  }
}

const NEWLINE = 0x0a
