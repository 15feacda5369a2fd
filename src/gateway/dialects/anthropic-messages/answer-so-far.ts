import { isAmount } from '../../../core/index.ts'
import { anthropicServedSurcharge } from '../../../pricing/index.ts'
import type { AnswerReading, RelayOptions, WireRequest } from '../dialect.ts'
import { type CallGate, createCallGate } from '../shared/answer/index.ts'
import { type JsonObject, objectFrom } from '../shared/request/json-value.ts'
import { finalUsage, partialUsage, type UsageSoFar } from './usage-so-far.ts'

/** What is known of an answer, whole or in events. */
export interface AnswerSoFar {
  readonly gate: CallGate
  readonly usage: UsageSoFar
  /** Whether stray tool markup is removed from texts: a text that must match a schema is left alone. */
  readonly stripsText: boolean
  /** The text sent to the client, up to a bound. */
  text: string
  /** Blocks about provider-run tools, and how many of them are searches. */
  providerCalls: number
  searches: number
  answerId: unknown
  model: unknown
  stopReason: unknown
  isComplete: boolean
  hasError: boolean
}

export function createAnswerSoFar(request: WireRequest, options: RelayOptions): AnswerSoFar {
  return {
    gate: createCallGate(options, request),
    usage: { counts: Object.create(null), isSaid: false, malformed: undefined },
    stripsText: options.isClosing && !request.isFormForced,
    text: '',
    providerCalls: 0,
    searches: 0,
    answerId: null,
    model: null,
    stopReason: null,
    isComplete: false,
    hasError: false,
  }
}

/** Blocks about provider-run tools. */
export const PROVIDER_CALLS: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

/** Counts a block of such a tool. */
export function noteProviderCall(answer: AnswerSoFar, { name }: JsonObject): void {
  answer.providerCalls++
  if (name === 'web_search') answer.searches++
}

/** The stop reason for the client: if no call is left, the model did not stop for one. */
export function mendedStop({ gate }: AnswerSoFar, reason: unknown): unknown {
  return reason === 'tool_use' && gate.cut > 0 && gate.passed === 0 ? 'end_turn' : reason
}

/** The reading so far. */
export function readingOf(answer: AnswerSoFar, request: WireRequest): AnswerReading {
  const { gate, usage: soFar, stopReason, isComplete } = answer
  const { counts } = soFar
  const model = typeof answer.model === 'string' ? answer.model : null
  const usage = isComplete || typeof stopReason === 'string' ? finalUsage(soFar, request.cacheMark) : null
  const serverCounts = objectFrom(counts.server_tool_use) ?? {}
  let providerCalls = 0
  for (const field in serverCounts) {
    const count = serverCounts[field]
    if (isAmount(count)) providerCalls += count
  }
  const searches = serverCounts.web_search_requests
  const modes = { speed: counts.speed, inferenceGeo: counts.inference_geo }
  return {
    answerId: typeof answer.answerId === 'string' ? answer.answerId : null,
    usage,
    partialUsage: (usage?.usage ?? null) === null ? partialUsage(soFar, request.cacheMark) : null,
    toolCalls: { passed: gate.passed, cut: gate.cut },
    providerToolCalls: Math.max(answer.providerCalls, providerCalls),
    webSearches: isAmount(searches) ? searches : answer.searches,
    served: { model, priceFactor: anthropicServedSurcharge(model ?? request.model, modes) },
    text: answer.text,
    isComplete,
    isCutByCap: stopReason === 'max_tokens',
    hasError: answer.hasError,
  }
}
