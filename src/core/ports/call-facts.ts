import { isAmount } from '../amounts/amounts.ts'
import { isOneOf } from '../checks/is-one-of.ts'
import { isPlainObject } from '../checks/is-plain-object.ts'
import { storableText } from '../checks/storable-text.ts'
import { type CallCosts, keptCosts } from './call-costs.ts'

/** What a reservation is for. The ledger keeps it for readers and decides nothing by it. */
export interface CallFacts {
  readonly call: 'model' | 'tool' | 'other'
  /** The model or the tool. */
  readonly name: string | null
  readonly provider?: string
  readonly phase?: 'planning' | 'execution'
  /** Which attempt at the same request this is, from 1. Default: the first. */
  readonly attempt?: number
  /** The requested output cap. What was granted may be less. */
  readonly outputTokens?: number
  /** It is the closing call of its scope. */
  readonly isClosing?: boolean
  /** How long it waited for calls in flight before there was room for it. */
  readonly waitedMs?: number
  /** The hint about the budget that its prompt has for the first time. */
  readonly hint?: string
}

/**
 * How a call ended: it was answered; its answer broke off; it failed; it was stopped by a limit or a person; the
 * provider refused it; it was never sent.
 */
export type CallEnding = (typeof CALL_ENDINGS)[number]

export const CALL_ENDINGS = ['answered', 'cut', 'failed', 'stopped', 'refused', 'unsent'] as const

/** What is known of a call when it is charged. */
export interface CallResult {
  readonly ending: CallEnding
  /** Its tokens by price class, as the provider reported them. */
  readonly usage?: Readonly<Record<string, number | undefined>>
  /** Where its price came from. */
  readonly price?: string
  /** What the charged cost consists of. Kept only if it adds up to that. */
  readonly costs?: CallCosts
}

const KINDS = ['model', 'tool', 'other'] as const
const PHASES = ['planning', 'execution'] as const
const LONGEST_NAME = 300
const MOST_CLASSES = 30

/**
 * The facts as every store keeps them. Never throws: no call is refused because of its description, so what can't be
 * kept is cut or left out.
 */
export function keptCallFacts(facts: unknown): CallFacts | null {
  if (!isPlainObject(facts)) return null
  const { call, name, provider, phase, attempt, outputTokens, isClosing, waitedMs, hint } = facts
  return {
    call: isOneOf(call, KINDS) ? call : 'other',
    name: nameFrom(name),
    ...(typeof provider === 'string' ? { provider: nameFrom(provider)! } : {}),
    ...(isOneOf(phase, PHASES) ? { phase } : {}),
    ...(isAmount(attempt) ? { attempt } : {}),
    ...(isAmount(outputTokens) ? { outputTokens } : {}),
    ...(isClosing === true ? { isClosing } : {}),
    ...(isAmount(waitedMs) && waitedMs > 0 ? { waitedMs } : {}),
    ...(typeof hint === 'string' ? { hint: nameFrom(hint)! } : {}),
  }
}

/** The result as every store keeps it. Never throws. */
export function keptCallResult(result: unknown): CallResult | null {
  if (!isPlainObject(result)) return null
  const { ending, usage, price } = result
  const costs = keptCosts(result.costs)
  const counts = isPlainObject(usage) ? countsIn(usage) : []
  return {
    ending: isOneOf(ending, CALL_ENDINGS) ? ending : 'failed',
    ...(counts.length === 0 ? {} : { usage: Object.fromEntries(counts) }),
    ...(typeof price === 'string' ? { price: nameFrom(price)! } : {}),
    ...(costs === null ? {} : { costs }),
  }
}

function countsIn(usage: Readonly<Record<string, unknown>>): readonly (readonly [string, number])[] {
  const counts: (readonly [string, number])[] = []
  for (const [name, count] of Object.entries(usage)) {
    if (isAmount(count) && count > 0 && counts.length < MOST_CLASSES) counts.push([nameFrom(name)!, count])
  }
  return counts
}

function nameFrom(text: unknown): string | null {
  if (typeof text !== 'string') return null
  return storableText(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text)
}
