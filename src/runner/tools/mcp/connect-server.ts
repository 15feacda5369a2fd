import { createMCPClient, type ListToolsResult, type MCPClient } from '@ai-sdk/mcp'
import type { McpServer } from '../mcp-server.ts'
import type { Programs } from '../processes/programs.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { createProgramTransport } from './program-transport.ts'

export interface ServerPlace {
  readonly workingFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly programs: Programs
  /** Aborted: nobody waits for it to start any more. */
  readonly signal?: AbortSignal | undefined
  /** Told of an answer that nothing waits for. */
  readonly onStray?: (() => void) | undefined
}

export interface ConnectedServer {
  readonly client: MCPClient
  readonly definitions: ListToolsResult
  /** Never throws, and waits for nobody for long. */
  close(): Promise<void>
}

const LONGEST_START_MS = 30_000
const LONGEST_CLOSE_MS = 5_000
const MOST_PAGES = 20

/** Starts a server, or reaches it, and asks for its tools. Rejects with an error that says why that failed. */
export async function connectServer(server: McpServer, place: ServerPlace): Promise<ConnectedServer> {
  const program = 'command' in server ? programTransport(server, place) : null
  let client: MCPClient | null = null
  const close = async (): Promise<void> => {
    const ended = Promise.allSettled([client?.close(), program?.close()])
    await within(LONGEST_CLOSE_MS, ended).catch(() => {})
  }
  try {
    const starting = createMCPClient({
      transport: program ?? addressTransport(server as Extract<McpServer, { url: string }>),
      clientName: 'stint',
      initializationOptions: { timeout: LONGEST_START_MS },
      // What a server says besides: logs, notifications, lines that are no messages.
      onUncaughtError: () => {},
    })
    client = await unlessAborted(place.signal, starting)
    return { client, definitions: await unlessAborted(place.signal, allTools(client)), close }
  } catch (error) {
    await close()
    const words = program?.lastWords() ?? ''
    const { message } = error as Error
    throw new Error(words === '' ? message : `${message}: ${words.slice(-500)}`, { cause: error })
  }
}

function programTransport(
  server: Extract<McpServer, { command: string }>,
  { env, workingFolder, programs, onStray }: ServerPlace,
) {
  const start = () =>
    programs.start({
      command: server.command,
      args: server.args ?? [],
      env: { ...env, ...server.env },
      workingFolder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  return createProgramTransport(start, onStray)
}

function addressTransport({ url, headers = {}, type = 'http' }: Extract<McpServer, { url: string }>) {
  // A server that sends us elsewhere would get the headers, and with them keys, sent along.
  return { type, url, headers: { ...headers }, redirect: 'error' as const, fetch: boundedFetch }
}

async function allTools(client: MCPClient): Promise<ListToolsResult> {
  const options = { timeout: LONGEST_START_MS }
  const first = await client.listTools({ options })
  const tools = [...first.tools]
  let cursor = first.nextCursor
  for (let page = 1; cursor !== undefined && page < MOST_PAGES; page++) {
    const next = await client.listTools({ params: { cursor }, options })
    tools.push(...next.tools)
    cursor = next.nextCursor
  }
  return { tools }
}

/** Rejects when the run ends first. */
async function unlessAborted<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (signal === undefined) return work
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('the run ended before it had started'))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  // Whichever comes too late is nobody's any more.
  work.catch(() => {})
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** Rejects when it takes longer. */
async function within<Value>(longestMs: number, work: Promise<Value>): Promise<Value> {
  let timeout: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error(`took longer than ${longestMs} ms`)), longestMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timeout))
}
