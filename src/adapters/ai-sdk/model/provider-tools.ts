import { isEnforced, METERS } from '../../../core/index.ts'
import type { Reservation, Scope } from '../../../governor/index.ts'
import type { AnswerPart, CallOptions } from './language-model.ts'
import {
  cutBounds,
  isSearch,
  maySearch,
  mostSearches,
  type ProviderTools,
  providerToolsIn,
  usesIn,
  withBounds,
  withoutTools,
} from './tool-bounds.ts'
import type { WireRecord } from './wire-record.ts'

/** A request whose provider-run tools are bounded, and what was set aside for them. */
export interface BoundedTools {
  readonly options: CallOptions
  /** Those that are still in it. */
  readonly tools: ProviderTools
  readonly room: Reservation | null
}

/**
 * Tools that the provider runs are counted like others, but nobody asks us before each: so under a limit of tool calls
 * the request itself bounds them, and so many are reserved; one that cannot be bounded is taken out. Under a limit of
 * cost the request bounds those that search, each of which has a fee, to as many as are reserved.
 */
export async function boundProviderTools(scope: Scope, options: CallOptions): Promise<BoundedTools> {
  const tools = providerToolsIn(options)
  const { bounds, unbounded } = tools
  if (bounds.length + unbounded.length === 0) return { options, tools, room: null }
  const meters = scope.limits().flatMap(({ meter, action }) => (isEnforced(action) ? [meter] : []))
  if (!meters.includes('toolCalls')) {
    const isPaid = meters.some((meter) => METERS[meter].unit === 'nanoUsd')
    return { options: isPaid ? withBounds(options, bounds.filter(maySearch)) : options, tools, room: null }
  }
  const { toolCalls } = await scope.usage({ path: true })
  const wanted = usesIn(bounds)
  const most = Math.min(wanted, toolCalls.remaining ?? wanted)
  const asked = most === 0 ? null : await scope.reserve({ toolCalls: most }, { waitMs: 0 })
  const room = asked?.granted === true ? asked : null
  const allowed = cutBounds(bounds, room === null ? 0 : most)
  const usable = allowed.filter(({ uses }) => uses > 0)
  const gone = [...unbounded, ...allowed.filter(({ uses }) => uses === 0).flatMap((bound) => bound.tools)]
  return { options: withBounds(withoutTools(options, gone), usable), tools: { bounds: usable, unbounded: [] }, room }
}

/** Counts what the provider ran: what its answers say, or all that was set aside where an answer is not known. */
export async function settleProviderTools(scope: Scope, { room }: BoundedTools, wire: WireRecord): Promise<void> {
  if (wire.isUnanswered()) return room?.settle()
  const answers = wire.answers()
  if (answers === null) return room?.release()
  const calls = answers.filter(isRunByProvider).length
  if (room !== null) return room.settle({ toolCalls: calls })
  if (calls === 0) return
  const counted = await scope.reserve({ toolCalls: calls }, { waitMs: 0 }).catch(() => null)
  if (counted?.granted === true) await counted.settle()
}

/**
 * How many web searches an answer shows. Those of a tool without a bound are not in every provider's answers: they are
 * taken to be as many as were reserved.
 */
export function searchesRun({ bounds, unbounded }: ProviderTools, answer: readonly AnswerPart[]): number {
  const all = [...bounds.flatMap((bound) => bound.tools), ...unbounded]
  const others = all.filter((tool) => !isSearch(tool)).map(({ name }) => name)
  const calls = answer.filter((part) => isRunByProvider(part) && !others.includes(part.toolName))
  return (bounds.some(maySearch) ? calls.length : 0) + mostSearches({ bounds: [], unbounded })
}

function isRunByProvider(part: AnswerPart): part is Extract<AnswerPart, { readonly type: 'tool-call' }> {
  return part.type === 'tool-call' && part.providerExecuted === true
}
