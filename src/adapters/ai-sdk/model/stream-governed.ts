import { createAnswerCollector } from './answer-collector.ts'
import { answerUsage } from './answer-usage.ts'
import { callGoverned, type LoopCall, type Send } from './call-governed.ts'
import { closingStream } from './closing-answer.ts'
import type { StreamPart, StreamResult } from './language-model.ts'
import { noteText } from './note-text.ts'
import { createRelay } from './relay.ts'
import { servedAs } from './served-as.ts'

/**
 * `doStream` within the limits of a scope. The stream ends when the call is settled: after its last part, after an
 * error, after an abort, and soon after nobody reads it any more.
 */
export function streamGoverned(call: LoopCall): Promise<StreamResult> {
  const { loop, model } = call
  const relay = createRelay()
  return new Promise((resolve, reject) => {
    let isOpen = false
    // What the stream itself has told as its error: its reader has seen that already.
    const told = new Set<unknown>()
    const send: Send<null> = async ({ options, isClosing, request, grant }) => {
      const result = await model.doStream(options)
      const source = isClosing ? result.stream.pipeThrough(closingStream(options)) : result.stream
      if (!isOpen) resolve({ ...result, stream: relay.stream })
      isOpen = true
      const answer = createAnswerCollector()
      const errors: unknown[] = []
      let hasAnswer = false
      let servedModel: string | undefined
      const finish = await relay.pump(source, options.abortSignal ?? grant.signal, (part) => {
        if (part.type === 'error') errors.push(part.error)
        if (part.type === 'response-metadata') servedModel = part.modelId ?? servedModel
        if (isAnswer(part)) {
          hasAnswer = true
          grant.firstByte()
        }
        answer.add(part)
        if (part.type === 'text-delta') noteText(loop, answer.text(), false)
      })
      if (errors.length > 0 && !hasAnswer && finish === null) {
        // It said no before it said anything: as good as an error in place of the stream.
        told.add(errors[0])
        throw errors[0]
      }
      if (isClosing) noteText(loop, answer.text(), true)
      return {
        answer: null,
        content: answer.content(),
        usage: finish === null ? null : answerUsage(request, finish.usage),
        served: servedAs(model.modelId, servedModel, finish?.providerMetadata),
        isCut: finish === null || errors.length > 0,
      }
    }
    callGoverned(call, send).then(
      () => relay.close(),
      (error) => {
        if (told.has(error)) relay.close()
        else if (isOpen) relay.fail(error)
        else reject(error)
      },
    )
  })
}

/** Whether a part shows that the provider has begun to answer. */
function isAnswer({ type }: StreamPart): boolean {
  return type !== 'stream-start' && type !== 'error' && (type as string) !== 'ping'
}
