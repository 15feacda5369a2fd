import { createAnswerCollector } from './answer-collector.ts'
import { answerUsage } from './answer-usage.ts'
import { cacheMarkOf } from './cache-mark-of.ts'
import { callGoverned, type Door, type GovernedCall } from './call-governed.ts'
import { closingStream, partsWithText } from './closing-answer.ts'
import type { StreamPart, StreamResult } from './language-model.ts'
import { noteText } from './note-text.ts'
import { createRelay } from './relay.ts'
import { servedBy } from './served-by.ts'

/**
 * `doStream` within the limits of a scope. The stream ends when the call is settled: after its last part, after an
 * error, after an abort, and soon after its reader cancels it.
 */
export function streamGoverned(call: GovernedCall): Promise<StreamResult> {
  const { loop, model, steps } = call
  const { waitsForAnswer = false, onAnswer } = steps
  return new Promise((resolve, reject) => {
    let isOpen = false
    let first: StreamResult | null = null
    const open = (): void => {
      if (!isOpen) resolve({ ...first!, stream: relay.stream })
      isOpen = true
    }
    const onHand = (part: StreamPart): void => {
      if (isOpen || COMES_BEFORE.has(part.type)) return
      if (part.type === 'error') {
        reject(part.error)
        // The rest is only read for its usage.
        relay.stream.cancel().catch(() => {})
      } else open()
    }
    const relay = createRelay({ onHand, ...(onAnswer === undefined ? {} : { onAnswer }) })
    // The error in the stream itself, which its reader has already seen.
    const reported = new Set<unknown>()
    const send: Door<Held>['send'] = async ({ options, isClosing, isHeldBack, grant }) => {
      const result = await model.doStream(options)
      const source = isClosing ? result.stream.pipeThrough(closingStream(options)) : result.stream
      first ??= result
      if (!waitsForAnswer) open()
      // An answer that may be replaced is not passed on before its end.
      const held: StreamPart[] | null = isHeldBack ? [] : null
      const answer = createAnswerCollector()
      const errors: unknown[] = []
      let hasAnswer = false
      let servedModel: string | undefined
      const onPart = (part: StreamPart): void => {
        if (part.type === 'error') errors.push(part.error)
        if (part.type === 'response-metadata') servedModel = part.modelId ?? servedModel
        if (isAnswer(part)) {
          hasAnswer = true
          grant.firstByte()
        }
        answer.add(part)
        held?.push(part)
        if (part.type === 'text-delta') noteText(loop, answer.text(), false)
      }
      const finish = await relay.pump(source, options.abortSignal ?? grant.signal, onPart, { isHeldBack })
      if (errors.length > 0 && !hasAnswer && finish === null) {
        // It failed before any content: treated like an error instead of a stream.
        if (held === null) reported.add(errors[0])
        throw errors[0]
      }
      return {
        answer: held,
        content: answer.content(),
        usage: finish === null ? null : answerUsage(cacheMarkOf(options), finish.usage),
        servedBy: servedBy(model.modelId, servedModel, finish?.providerMetadata),
        text: answer.text(),
        isCutByCap: finish?.finishReason?.unified === 'length',
        isCut: finish === null || errors.length > 0,
      }
    }
    const withText = (held: Held, text: string): Held => (held === null ? null : partsWithText(held, text))
    const handOn = async (held: Held): Promise<void> => {
      if (held !== null) await relay.pump(streamOf(held), new AbortController().signal, () => {})
      open()
      await relay.close()
    }
    callGoverned(call, { send, isHeld: (held) => held !== null, withText, isLeft: relay.isCancelled })
      .then(handOn)
      .catch((error) => {
        if (!isOpen) reject(error)
        else if (reported.has(error)) void relay.close()
        else relay.fail(error)
      })
  })
}

// Parts that do not yet prove that there will be an answer.
const COMES_BEFORE: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'ping'])

/** The parts of an answer that were not passed on yet; `null` if they were. */
type Held = readonly StreamPart[] | null

function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Whether a part proves that the provider has begun to answer. */
function isAnswer({ type }: StreamPart): boolean {
  return type !== 'stream-start' && type !== 'error' && (type as string) !== 'ping'
}
