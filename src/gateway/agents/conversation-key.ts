import { hash } from 'node:crypto'
import type { WireRequest } from '../dialects/dialect.ts'

const KEY_LENGTH = 12

/**
 * Identifies a conversation by its start, if no header does. `null` for a side request, and for one whose start only
 * the provider has.
 */
export function conversationKey(request: WireRequest): string | null {
  if (!request.hasTools || request.isServerHeld) return null
  const { parts } = request.prompt()
  const system = parts.find(({ kind }) => kind === 'system')
  const task = parts.find(({ kind }) => kind === 'user')
  if (task === undefined) return null
  return hash('sha256', `${system?.digest ?? ''}\n${task.digest}`, 'hex').slice(0, KEY_LENGTH)
}
