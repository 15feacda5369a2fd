import { anthropicServedSurcharge } from '../../../pricing/index.ts'
import { type CallGate, createCallGate, createKeptText, type KeptText } from '../answer/index.ts'
import type { AnswerReading, RelayOptions } from '../dialect.ts'
import type { JsonObject } from '../request/json-value.ts'
import type { MessagesRequest } from './messages-request.ts'
import { createUsageSoFar, type UsageSoFar } from './usage-so-far.ts'

/** What is known of an answer, whole or in events. */
export interface AnswerSoFar {
  readonly gate: CallGate
  readonly usage: UsageSoFar
  readonly text: KeptText
  /** Whether stray tool markup is taken out of texts: a text that must fit a schema keeps its form. */
  readonly stripsText: boolean
  /** Counts a block that tells of a tool that the provider runs. */
  noteBlock(block: JsonObject): void
  noteMessage(message: JsonObject): void
  noteStop(stopReason: unknown): void
  /** The reason that the client is told: without a call left, the model did not stop for one. */
  mendedStop(stopReason: unknown): unknown
  markComplete(): void
  markError(): void
  reading(): AnswerReading
}

export function createAnswerSoFar(request: MessagesRequest, options: RelayOptions): AnswerSoFar {
  const gate = createCallGate(options, { forcesTool: request.forcesTool })
  const usage = createUsageSoFar(request.cacheMark)
  const text = createKeptText()
  let providerCalls = 0
  let searches = 0
  let answerId: string | null = null
  let model: string | null = null
  let stopReason: string | null = null
  let isComplete = false
  let hasError = false
  return {
    gate,
    usage,
    text,
    stripsText: options.isClosing && !request.isFormForced,
    noteBlock({ type, name }) {
      if (type !== 'server_tool_use' && type !== 'mcp_tool_use') return
      providerCalls++
      if (name === 'web_search') searches++
    },
    noteMessage({ id, model: served }) {
      if (typeof id === 'string') answerId = id
      if (typeof served === 'string') model = served
    },
    noteStop(reason) {
      if (typeof reason === 'string') stopReason = reason
    },
    mendedStop: (reason) => (reason === 'tool_use' && gate.cut() > 0 && gate.passed() === 0 ? 'end_turn' : reason),
    markComplete: () => {
      isComplete = true
    },
    markError: () => {
      hasError = true
    },
    reading: () => ({
      answerId,
      usage: isComplete || stopReason !== null ? usage.reading() : null,
      partialUsage: usage.partial(),
      toolCalls: { passed: gate.passed(), cut: gate.cut() },
      providerToolCalls: Math.max(providerCalls, usage.providerCalls()),
      webSearches: usage.webSearches() ?? searches,
      served: { model, priceFactor: anthropicServedSurcharge(model ?? request.model, usage.modes()) },
      text: text.text(),
      isComplete,
      isCutByCap: stopReason === 'max_tokens',
      hasError,
    }),
  }
}
