import { crossingsAt, isEnforced, type Limit, NOTHING_ANNOUNCED } from '../../core/index.ts'
import { tellCrossings } from '../events/tell.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/**
 * Notes how long a conversation was when a call of it was asked for, on its scope and where the nearest limit is, and
 * tells what it has passed there. That an enforced limit is reached is told with its breach.
 */
export function noteMessages(runtime: ScopeRuntime, length: number): void {
  runtime.messages.length = length
  const nearest = runtime.rootToSelf.findLast(({ limits }) => limits.some(isOfMessages))
  if (nearest === undefined) return
  const { id: scopeId, path: scopePath, limits, messages } = nearest
  messages.length = length
  for (const limit of limits.filter(isOfMessages)) {
    const { crossings, announced } = crossingsAt(limit, length, messages.announced.get(limit) ?? NOTHING_ANNOUNCED)
    messages.announced.set(limit, announced)
    const isTold = (kind: string): boolean => kind === 'nearing' || !isEnforced(limit.action)
    const standing = { settled: length, reserved: 0, held: 0, resetsAt: null }
    const told = crossings.filter(({ kind }) => isTold(kind))
    tellCrossings(
      runtime,
      told.map((crossing) => ({ scopeId, scopePath, limit, crossing, ...standing })),
    )
  }
}

function isOfMessages({ meter }: Limit): boolean {
  return meter === 'messages'
}
