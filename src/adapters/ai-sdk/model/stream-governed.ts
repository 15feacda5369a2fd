import { answerUsage } from './answer-usage.ts'
import { callGoverned, type LoopCall, type Send } from './call-governed.ts'
import { closingStream } from './closing-answer.ts'
import type { AnswerPart, StreamPart, StreamResult } from './language-model.ts'
import { noteText } from './note-text.ts'
import type { ProviderEnd } from './provider-tools.ts'
import { createRelay } from './relay.ts'

/**
 * `doStream` within the limits of a scope. The stream ends when the call is settled: after its last part, after an
 * error, after an abort, and soon after nobody reads it any more.
 */
export function streamGoverned(call: LoopCall, onEnd: (end: ProviderEnd) => Promise<void>): Promise<StreamResult> {
  const { loop, model } = call
  const relay = createRelay()
  const toolCalls: AnswerPart[] = []
  return new Promise((resolve, reject) => {
    let isOpen = false
    const send: Send<null> = async ({ options, isClosing, request, grant }) => {
      const result = await model.doStream(options)
      const source = isClosing ? result.stream.pipeThrough(closingStream(options)) : result.stream
      if (!isOpen) resolve({ ...result, stream: relay.stream })
      isOpen = true
      let text = ''
      let failure: { readonly error: unknown } | null = null
      let hasAnswer = false
      const finish = await relay.pump(source, options.abortSignal ?? grant.signal, (part) => {
        if (part.type === 'error') failure ??= part
        if (isAnswer(part)) {
          hasAnswer = true
          grant.firstByte()
        }
        if (part.type === 'tool-call') toolCalls.push(part)
        if (part.type !== 'text-delta') return
        text += part.delta
        noteText(loop, text, false)
      })
      // It said no before it said anything: as good as an error in place of the stream.
      if (failure !== null && !hasAnswer && finish === null) throw (failure as { readonly error: unknown }).error
      if (isClosing) noteText(loop, text, true)
      return { answer: null, usage: finish === null ? null : answerUsage(request, finish.usage) }
    }
    callGoverned(call, send)
      .then(
        async () => {
          await onEnd({ answer: toolCalls })
          relay.close()
        },
        async (error) => {
          await onEnd({ error })
          throw error
        },
      )
      .catch((error) => {
        if (isOpen) relay.fail(error)
        else reject(error)
      })
  })
}

/** Whether a part shows that the provider has begun to answer. */
function isAnswer({ type }: StreamPart): boolean {
  return type !== 'stream-start' && type !== 'error' && (type as string) !== 'ping'
}
