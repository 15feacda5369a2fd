import { usageFromOpenAiChat } from '../../../pricing/index.ts'
import type { AnswerReading, RelayOptions, WireRequest } from '../dialect.ts'
import type { FollowedAnswer, MutableJson, Verdict } from '../shared/answer/followed-answer.ts'
import { createCallGate, extendText } from '../shared/answer/index.ts'
import { servedBy } from '../shared/openai/served-by.ts'
import { objectFrom } from '../shared/request/json-value.ts'
import { createChoices } from './choices.ts'

/** Follows an answer of this dialect: the chunks of a stream, or a whole answer, which is like one chunk. */
export function createChatAnswer(request: WireRequest, options: RelayOptions): FollowedAnswer {
  const gate = createCallGate(options, request)
  const choices = createChoices({ isClosing: options.isClosing && !request.isFormForced })
  let kept = ''
  let head: MutableJson = {}
  let serviceTier: unknown = null
  let usage: unknown = null
  let isDone = false
  let isCutByCap = false
  let hasError = false
  const keep = (text: string): void => {
    kept = extendText(kept, text)
  }
  const isComplete = () => isDone || choices.finished() >= request.choices

  const rewrite = (chunk: MutableJson): Verdict => {
    const rewritten = choices.rewrite(chunk, keep)
    isCutByCap ||= rewritten.isCutByCap
    if (options.hidesUsage && chunk.usage !== undefined && isUsageOnly(chunk)) return 'dropped'
    if (!rewritten.isChanged) return 'same'
    if (options.hidesUsage && chunk.usage === null) delete chunk.usage
    return rewritten.isEmpty && (chunk.usage ?? null) === null ? 'dropped' : 'changed'
  }

  return {
    follow(chunk) {
      if ((chunk.error ?? null) !== null) hasError = true
      usage = usageIn(chunk) ?? usage
      head = headOf(chunk, head)
      serviceTier = chunk.service_tier ?? serviceTier
      const calls = choices.newCalls(chunk)
      if (calls.length === 0) return rewrite(chunk)
      for (let index = 0; index < calls.length; index++) {
        const { call, slot } = calls[index]!
        const decision = gate.admit(call)
        if (typeof decision !== 'boolean') {
          return settleRest(decision, calls, index, gate).then(() => rewrite(chunk))
        }
        slot.isPassed = decision
      }
      return rewrite(chunk)
    },
    rest: () => choices.held(keep).map((choice) => ({ ...head, choices: [choice] })),
    markDone: () => {
      isDone = true
    },
    markError: () => {
      hasError = true
    },
    reading(): AnswerReading {
      const read = usage === null ? null : usageFromOpenAiChat(usage, { cacheMark: request.cacheMark })
      const searches = choices.hasAny() && request.providerTools.some(({ maxUses }) => maxUses === 1) ? 1 : 0
      return {
        // Counts in mid-stream are cumulative, and not final before the answer has ended.
        usage: isComplete() ? read : null,
        partialUsage: isComplete() ? null : (read?.usage ?? null),
        toolCalls: { passed: gate.passed, cut: gate.cut },
        providerToolCalls: searches,
        webSearches: searches,
        served: servedBy(head.model, serviceTier),
        text: kept,
        isComplete: isComplete(),
        isCutByCap,
        hasError,
        hasContent: choices.hasAny(),
      }
    },
  }
}

type NewCall = ReturnType<ReturnType<typeof createChoices>['newCalls']>[number]

async function settleRest(
  first: Promise<boolean>,
  calls: readonly NewCall[],
  from: number,
  gate: ReturnType<typeof createCallGate>,
): Promise<void> {
  calls[from]!.slot.isPassed = await first
  for (const { call, slot } of calls.slice(from + 1)) slot.isPassed = await gate.admit(call)
}

/** The last one counts: chunks that repeat it are cumulative. One provider puts it into the choice. */
function usageIn(chunk: MutableJson): unknown {
  if ((chunk.usage ?? null) !== null) return chunk.usage
  const [first] = Array.isArray(chunk.choices) ? chunk.choices : []
  return objectFrom(first)?.usage ?? null
}

function isUsageOnly(chunk: MutableJson): boolean {
  return chunk.usage !== null && Array.isArray(chunk.choices) && chunk.choices.length === 0
}

function headOf(chunk: MutableJson, before: MutableJson): MutableJson {
  if (typeof chunk.id !== 'string') return before
  const { id, created, model } = chunk
  return { id, object: 'chat.completion.chunk', created, model }
}
