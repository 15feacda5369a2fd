import type { Change, ChangeKind } from './change-log.ts'
import type { LiveTree } from './live-tree.ts'

/** Something that is sent to a stream at once. */
export type Frame = Buffer | 'reset'

// More than this is loaded faster as a whole.
const MOST_BYTES = 1_048_576

const EVENTS = { scope: 'scopes', request: 'requests', alert: 'alerts' } as const

/**
 * What changed between two versions, with the current state of each thing once, as far as a caller bound to `scopeId`
 * may see it. `null`: nothing that it may see.
 */
export function frameBetween(tree: LiveTree, from: number, to: number, scopeId: string | null): Frame | null {
  const changes = tree.changesAfter(from)
  if (changes === null) return 'reset'
  const shown = changes.slice(0, to - from).filter(({ idsOnPath }) => scopeId === null || idsOnPath.includes(scopeId))
  if (shown.length === 0) return null
  const gone = latestOf(shown, ['gone', 'scope']).filter((change) => tree.jsonOf(change) === null)
  const events: string[] = []
  for (const kind of ['scope', 'request', 'alert'] as const) {
    const states = latestOf(shown, [kind]).flatMap((change) => tree.jsonOf(change) ?? [])
    const ids = kind === 'scope' ? gone.map(({ id }) => id) : []
    if (states.length + ids.length === 0) continue
    const tail = kind === 'scope' ? `,"gone":${JSON.stringify(ids)}` : ''
    events.push(`event: ${EVENTS[kind]}\ndata: {"${EVENTS[kind]}":[${states.join(',')}]${tail}}\n`)
  }
  if (events.length === 0) return null
  // Only the last one has an id: a client that got less begins again before the first.
  const text = `${events.join('\n')}id: ${tree.cursorOf(to)}\n\n`
  const bytes = Buffer.from(text)
  return bytes.length > MOST_BYTES ? 'reset' : bytes
}

function latestOf(changes: readonly Change[], kinds: readonly ChangeKind[]): readonly Change[] {
  const latest = new Map<string, Change>()
  for (const change of changes) if (kinds.includes(change.kind)) latest.set(change.id, change)
  return [...latest.values()]
}

/** Sent before a stream ends: its reader has to load the tree again. */
export function resetFrame(reason: string): Buffer {
  return Buffer.from(`event: reset\ndata: ${JSON.stringify({ reason })}\n\n`)
}
