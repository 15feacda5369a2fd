import { printable } from '../../core/printable.ts'
import type { ClientHeaders } from '../http/client-headers.ts'

/** Who is calling, as far as the known programs say it in their headers. */
export interface Caller {
  /** The program's own name for its conversation. */
  readonly sessionId: string | null
  /** Which agent of it; `null`: nobody said. */
  readonly agentId: string | null
  readonly parentId: string | null
  /** What the agent is called. */
  readonly name: string
  /** Whether the first agent that is seen of a session is the one that the others belong to. */
  readonly leadsByBeingFirst: boolean
  readonly isCodex: boolean
}

/** The program that is calling, as its requests show: those of one program are alike. Never more than a name. */
export function programOf({ known }: Pick<ClientHeaders, 'known'>): string {
  if (known.has('x-codex-turn-metadata')) return 'codex'
  if (known.has('x-claude-code-session-id')) return 'claude-code'
  const [name = ''] = (known.get('user-agent') ?? '').split(/[/\s]/, 1)
  return name.slice(0, LONGEST_NAME).toLowerCase()
}

const LONGEST_ID = 200
const LONGEST_NAME = 60
const NOBODY: Caller = {
  sessionId: null,
  agentId: null,
  parentId: null,
  name: '',
  leadsByBeingFirst: false,
  isCodex: false,
}

/** Reads who is calling. Whatever a client writes there is a name and never more than that. */
export function callerFrom({ known }: Pick<ClientHeaders, 'known'>): Caller {
  const stint = idOf(known.get('x-stint-agent'))
  const claude = idOf(known.get('x-claude-code-session-id'))
  const codex = known.get('x-codex-turn-metadata')
  const opencode = idOf(known.get('x-session-id'))
  if (codex !== undefined) return codexCaller(codex)
  if (stint !== null) return { ...NOBODY, sessionId: claude, agentId: stint, name: nameFrom(stint) }
  if (claude !== null) {
    const agentId = idOf(known.get('x-claude-code-agent-id'))
    const parentId = idOf(known.get('x-claude-code-parent-agent-id'))
    const name = nameFrom(agentId ?? claude, 'agent')
    return { ...NOBODY, sessionId: claude, agentId, parentId, name, leadsByBeingFirst: parentId === null }
  }
  if (opencode === null) return NOBODY
  return { ...NOBODY, agentId: opencode, name: nameFrom(opencode, 'session'), leadsByBeingFirst: true }
}

function codexCaller(text: string): Caller {
  const { session_id, thread_id, agent_name } = fieldsOf(text)
  const sessionId = idOf(session_id)
  const agentId = idOf(thread_id)
  const name = nameFrom(idOf(agent_name) ?? agentId ?? '', 'agent')
  return { ...NOBODY, sessionId, agentId, name, leadsByBeingFirst: true, isCodex: true }
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

/** A name that a scope may have: printable, short, without slashes. */
function nameFrom(id: string, prefix = ''): string {
  // Cut first: the half of a character that may be left is replaced like everything else that no name has.
  const safe = printable(id)
    .slice(0, LONGEST_NAME)
    .replace(/[^\p{L}\p{N}._:@+ -]/gu, '-')
    .trim()
  const name = safe === '' || safe === '.' || safe === '..' ? 'agent' : safe
  return prefix === '' || name === 'agent' ? name : `${prefix} ${name}`
}
