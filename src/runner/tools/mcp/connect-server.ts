import { createMCPClient, type ListToolsResult, type MCPClient } from '@ai-sdk/mcp'
import { messageOf } from '../../../core/checks/thrown.ts'
import type { McpServer } from '../mcp-server.ts'
import type { Programs } from '../processes/programs.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { createProgramTransport } from './program-transport.ts'

export interface ServerPlace {
  readonly workingFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly programs: Programs
  /** When aborted, starting it is given up. */
  readonly signal?: AbortSignal | undefined
  /** Called for an unexpected answer. */
  readonly onStray?: (() => void) | undefined
}

export interface ConnectedServer {
  readonly client: MCPClient
  readonly definitions: ListToolsResult
  /** Never throws; bounded in time. */
  close(): Promise<void>
}

const LONGEST_START_MS = 30_000
const LONGEST_CLOSE_MS = 5_000
const MOST_PAGES = 20

/** Starts or reaches a server, and lists its tools. Rejects with the reason. */
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
      // Logs, notifications and invalid messages of the server are ignored.
      onUncaughtError: () => {},
    })
    client = await unlessAborted(place.signal, starting)
    return { client, definitions: await unlessAborted(place.signal, allTools(client)), close }
  } catch (error) {
    await close()
    const words = program?.lastWords() ?? ''
    const message = messageOf(error)
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
  // A redirect would send the headers, which may contain keys, elsewhere.
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
  // A late failure is ignored.
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
