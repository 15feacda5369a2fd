import { printable } from '../../core/checks/printable.ts'
import type { ClientHeaders } from '../http/client-headers.ts'

/** The caller, as far as known programs identify themselves in their headers. */
export interface Caller {
  /** The program's own name for its conversation. */
  readonly sessionId: string | null
  /** Which of its agents; `null`: not specified. */
  readonly agentId: string | null
  readonly parentId: string | null
  /** The name of the agent. */
  readonly name: string
  /** Whether the first agent seen in a session is the one that the others belong to. */
  readonly leadsByBeingFirst: boolean
  readonly isCodex: boolean
  /** The program, as its requests show: requests of one program are alike. Only ever a name. */
  readonly program: string
}

const LONGEST_ID = 200
const LONGEST_NAME = 60
const UNKNOWN: Caller = {
  sessionId: null,
  agentId: null,
  parentId: null,
  name: '',
  leadsByBeingFirst: false,
  isCodex: false,
  program: '',
}

/** Reads who is calling. What a client writes there is only ever treated as a name. */
export function callerFrom({ known }: Pick<ClientHeaders, 'known'>): Caller {
  const claude = known.get('x-claude-code-session-id')
  const codex = known.get('x-codex-turn-metadata')
  const stint = known.get('x-stint-agent')
  const opencode = known.get('x-session-id')
  if (codex !== undefined) return codexCaller(codex)
  const agent = known.get('user-agent') ?? ''
  const [name = ''] = agent.slice(0, LONGEST_NAME).split(/[/\s]/, 1)
  const caller = { ...UNKNOWN, program: claude === undefined ? name.toLowerCase() : 'claude-code' }
  if (stint) return { ...caller, sessionId: idOf(claude), agentId: idOf(stint), name: nameFrom(stint) }
  if (claude) {
    const agentId = idOf(known.get('x-claude-code-agent-id'))
    const parentId = idOf(known.get('x-claude-code-parent-agent-id'))
    const sessionId = idOf(claude)
    const agentName = nameFrom(agentId ?? claude, 'agent')
    return { ...caller, sessionId, agentId, parentId, name: agentName, leadsByBeingFirst: parentId === null }
  }
  if (!opencode) return caller
  return { ...caller, agentId: idOf(opencode), name: nameFrom(opencode, 'session'), leadsByBeingFirst: true }
}

function codexCaller(text: string): Caller {
  const { session_id, thread_id, agent_name } = fieldsOf(text)
  const sessionId = idOf(session_id)
  const agentId = idOf(thread_id)
  const name = nameFrom(idOf(agent_name) ?? agentId ?? '', 'agent')
  return { ...UNKNOWN, sessionId, agentId, name, leadsByBeingFirst: true, isCodex: true, program: 'codex' }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? printable(value.slice(0, LONGEST_ID)) : null
}

/** A valid scope name: printable, short, without slashes. */
function nameFrom(id: string, prefix = ''): string {
  // Truncated first: half a character that may remain is replaced like any other invalid one.
  const safe = printable(id)
    .slice(0, LONGEST_NAME)
    .replace(/[^\p{L}\p{N}._:@+ -]/gu, '-')
    .trim()
  const name = safe === '' || safe === '.' || safe === '..' ? 'agent' : safe
  return prefix === '' || name === 'agent' ? name : `${prefix} ${name}`
}
