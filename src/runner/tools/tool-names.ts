import { InvalidOptionError, suggestName } from '../../core/index.ts'
import { plainName } from './mcp/mcp-tool-name.ts'

/** Our own tools. The adapter adds `budget`, since it knows the scope. */
export const TOOL_NAMES = ['read', 'write', 'edit', 'grep', 'glob', 'bash'] as const

export type ToolName = (typeof TOOL_NAMES)[number]

/** Tools that start other agents or hand in a result: only for agents that list them. */
export const DELEGATING_TOOLS = ['subagent', 'handoff', 'submit'] as const

export type DelegatingTool = (typeof DELEGATING_TOOLS)[number]

/** The tools that an agent requests. */
export interface ToolSelection {
  readonly own: ReadonlySet<ToolName>
  readonly delegating: ReadonlySet<DelegatingTool>
  /** Whether any tool of a server is requested. */
  isServerWanted(server: string): boolean
  isServerToolWanted(server: string, tool: string): boolean
  /** The tools of a server that are named individually. */
  toolsNamedOf(server: string): readonly string[]
  /** Other programs' tools, and servers that are not configured. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

// Other programs' names for our tools, in lower case.
const ALIASES: ReadonlyMap<string, ToolName> = new Map([
  ['multiedit', 'edit'],
  ['ls', 'glob'],
  ['list', 'glob'],
  ['find', 'glob'],
  ['search', 'grep'],
  ['shell', 'bash'],
  ...TOOL_NAMES.map((name) => [name, name] as const),
])

// Tools of Claude Code, pi and their extensions that we don't have, in lower case.
const OF_OTHERS: ReadonlySet<string> = new Set([
  'agent',
  'agentoutputtool',
  'askuserquestion',
  'bashoutput',
  'code_search',
  'contact_supervisor',
  'enterplanmode',
  'enterworktree',
  'exitplanmode',
  'exitworktree',
  'fetch_content',
  'get_search_content',
  'intercom',
  'killbash',
  'killshell',
  'listmcpresourcestool',
  'lsp',
  'mcp',
  'monitor',
  'notebookedit',
  'notebookread',
  'powershell',
  'readmcpresourcetool',
  'sendmessage',
  'skill',
  'slashcommand',
  'structuredoutput',
  'task',
  'taskcreate',
  'taskget',
  'tasklist',
  'taskoutput',
  'taskstop',
  'taskupdate',
  'todoread',
  'todowrite',
  'toolsearch',
  'web_search',
  'webfetch',
  'websearch',
])

type Named =
  | { readonly kind: 'own'; readonly name: ToolName }
  | { readonly kind: 'delegating'; readonly name: DelegatingTool }
  | { readonly kind: 'server'; readonly server: string; readonly tool: string | null }
  | { readonly kind: 'all' | 'budget' | 'missing' | 'unknown' }

/** Reads the tool names of an agent's file or a caller. Throws `InvalidOptionError` for unknown ones. */
export function selectTools(
  names: readonly string[] | null,
  without: readonly string[],
  servers: readonly string[],
): ToolSelection {
  const wanted = (names ?? ['*']).map((name) => readName('tools', name, servers))
  // We cannot disallow a part of a tool, so the whole tool is disallowed.
  const parts = without.filter((name) => PART.test(name.trim()))
  const unwanted = without.map((name) => readName('disallowed tools', name.trim().replace(PART, '$1'), servers))
  const isOwn = (list: readonly Named[], name: ToolName): boolean =>
    list.some((each) => each.kind === 'all' || (each.kind === 'own' && each.name === name))
  const isAll = (list: readonly Named[]): boolean => list.some(({ kind }) => kind === 'all')
  const isDelegating = (list: readonly Named[], name: DelegatingTool): boolean =>
    list.some((each) => each.kind === 'delegating' && each.name === name)
  const isOf = (list: readonly Named[], server: string, tool: string): boolean =>
    list.some((each) => {
      if (each.kind === 'all') return true
      if (each.kind !== 'server' || each.server !== server) return false
      // Agent files use the model's name of a tool, or the server's.
      return each.tool === null || plainName(each.tool) === plainName(tool)
    })
  const namedOf = (server: string): readonly string[] =>
    wanted.flatMap((each) =>
      each.kind === 'server' && each.server === server && each.tool !== null ? [each.tool] : [],
    )
  return {
    delegating: new Set(
      DELEGATING_TOOLS.filter(
        (name) => isDelegating(wanted, name) && !isDelegating(unwanted, name) && !isAll(unwanted),
      ),
    ),
    own: new Set(TOOL_NAMES.filter((name) => isOwn(wanted, name) && !isOwn(unwanted, name))),
    isServerWanted: (server) => (isOf(wanted, server, '') || namedOf(server).length > 0) && !isOf(unwanted, server, ''),
    isServerToolWanted: (server, tool) => isOf(wanted, server, tool) && !isOf(unwanted, server, tool),
    toolsNamedOf: namedOf,
    missing: (names ?? []).filter((_, index) => wanted[index]?.kind === 'missing'),
    warnings: parts.map((part) => `A part of a tool cannot be disallowed (${part}): the whole tool is disallowed.`),
  }
}

// A part of a tool, e.g. Bash(git log:*).
const PART = /^([\w-]+)\(.*\)$/s

function readName(place: string, text: string, servers: readonly string[]): Named {
  const name = text.trim()
  const small = name.toLowerCase()
  if (name === '*' || small === 'all') return { kind: 'all' }
  if (small === 'budget') return { kind: 'budget' }
  const own = ALIASES.get(small)
  if (own !== undefined) return { kind: 'own', name: own }
  const delegating = DELEGATING_TOOLS.find((each) => each === small)
  if (delegating !== undefined) return { kind: 'delegating', name: delegating }
  // The whole tool would be more than was requested.
  if (PART.test(name) || OF_OTHERS.has(small)) return { kind: 'missing' }
  const server = readServerName(name, servers)
  if (server !== null) return server
  const known = [...TOOL_NAMES, ...DELEGATING_TOOLS]
  const near = suggestName(name, known)
  const form = `one of ${known.join(', ')}, or mcp:SERVER`
  throw new InvalidOptionError(place, text, near === null ? form : `a tool; did you mean "${near}"? (${form})`)
}

/** `mcp:SERVER`, `mcp:SERVER/TOOL`, and Claude Code's `mcp__SERVER`, `mcp__SERVER__TOOL`. */
function readServerName(name: string, servers: readonly string[]): Named | null {
  const [, ours, ourTool, theirs] = /^(?:mcp:([^/]+)(?:\/(.+))?|mcp__(.+))$/.exec(name) ?? []
  if (ours !== undefined) return serverOr(servers, ours, ourTool ?? null)
  if (theirs === undefined) return null
  // A server's own name may have two underscores in it.
  const fitting = servers.filter((each) => theirs === each || theirs.startsWith(`${each}__`))
  const server = fitting.toSorted((left, right) => right.length - left.length)[0]
  return serverOr(
    servers,
    server ?? '',
    server === undefined || theirs === server ? null : theirs.slice(server.length + 2),
  )
}

function serverOr(servers: readonly string[], server: string, tool: string | null): Named {
  if (!servers.includes(server)) return { kind: 'missing' }
  return { kind: 'server', server, tool: tool === '*' ? null : tool }
}
