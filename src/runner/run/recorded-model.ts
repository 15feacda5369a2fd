import { createAnswerCollector } from './answer-collector.ts'
import { assistantMessage } from './assistant-message.ts'
import type { AssistantMessage, LanguageModelV3, StreamPart } from './language-model.ts'
import { modelWith } from './model-with.ts'

export interface ModelRecorder {
  /** Called before a request goes out. */
  onModelCall(): void
  /** An answer that has come to its end. None of its tool calls runs before this has resolved. */
  onAnswer(message: AssistantMessage): Promise<void>
}

/** A model whose every answer is recorded as a whole before anything follows from it. */
export function recordedModel(model: LanguageModelV3, recorder: ModelRecorder): LanguageModelV3 {
  return modelWith(model, {
    async doGenerate(options) {
      recorder.onModelCall()
      const result = await model.doGenerate(options)
      await recorder.onAnswer(assistantMessage(result.content))
      return result
    },
    async doStream(options) {
      recorder.onModelCall()
      const result = await model.doStream(options)
      return { ...result, stream: result.stream.pipeThrough(heldBack(recorder)) }
    },
  })
}

/**
 * Hands on text as it comes, and tool calls when the answer is over and recorded: the AI SDK runs a call as soon as it
 * sees it, and a process that dies then must have left behind that it was made. What breaks off calls nothing.
 */
function heldBack({ onAnswer }: ModelRecorder): TransformStream<StreamPart, StreamPart> {
  const answer = createAnswerCollector()
  const held: StreamPart[] = []
  return new TransformStream({
    async transform(part, controller) {
      answer.add(part)
      if (part.type === 'finish') {
        await onAnswer(assistantMessage(answer.content()))
        for (const each of held.splice(0)) controller.enqueue(each)
        controller.enqueue(part)
      } else if (part.type === 'tool-call' || (held.length > 0 && part.type !== 'error')) held.push(part)
      else controller.enqueue(part)
    },
  })
}
