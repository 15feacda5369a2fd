import { isPlainObject } from '../checks/is-plain-object.ts'
import { keptText } from '../checks/kept-text.ts'

/** What a scope is for and who started it, for readers of its history. The ledger decides nothing by it. */
export interface ScopeAbout {
  /** The command line. */
  readonly command?: string
  /** What the agent was asked to do. */
  readonly task?: string
  /** Who started it. */
  readonly by?: string
  /** The folder it was started in. */
  readonly folder?: string
  readonly host?: string
}

const FIELDS = ['command', 'task', 'by', 'folder', 'host'] as const satisfies readonly (keyof ScopeAbout)[]

/**
 * The description as every store keeps it: bounded, and without keys or text that looks like one. Never throws: no
 * scope is refused because of its description. `null` if there is none.
 */
export function keptAbout(about: unknown): ScopeAbout | null {
  if (!isPlainObject(about)) return null
  const kept = FIELDS.flatMap((field) => {
    const text = about[field]
    return typeof text === 'string' && text !== '' ? [[field, keptText(text)] as const] : []
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
