import { stripToolMarkup } from '../../../governor/index.ts'
import type { AnswerPart, CallOptions, GenerateResult, StreamPart } from './language-model.ts'

/** The closing answer without the tool calls that a model makes, or writes into its text, although it may not. */
export function closingAnswer(result: GenerateResult, options: CallOptions): GenerateResult {
  if (isFormForced(options)) return result
  const content = result.content.filter(isNoCall).map((part) => (part.type === 'text' ? stripped(part, options) : part))
  return { ...result, content, finishReason: finishOf(result.finishReason) }
}

/** A closing answer with the text `text`, as one that ended normally. */
export function answerWithText(result: GenerateResult, text: string): GenerateResult {
  const content = [...result.content.filter(({ type }) => type !== 'text'), { type: 'text' as const, text }]
  return { ...result, content, finishReason: { ...result.finishReason, unified: 'stop' } }
}

/** The parts of a stream with their text replaced, as those of an answer that ended normally. */
export function partsWithText(parts: readonly StreamPart[], text: string): readonly StreamPart[] {
  const id = 'cut-at-the-budget'
  const said: readonly StreamPart[] = [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ]
  const others = parts.filter(({ type }) => !type.startsWith('text-') && type !== 'finish')
  const finish = parts.flatMap((part) =>
    part.type === 'finish' ? [{ ...part, finishReason: { ...part.finishReason, unified: 'stop' as const } }] : [],
  )
  return [...others, ...said, ...finish]
}

/**
 * `closingAnswer` for a stream. The text comes in one piece at the end, since markup is only recognizable as a whole.
 */
export function closingStream(options: CallOptions): TransformStream<StreamPart, StreamPart> {
  if (isFormForced(options)) return new TransformStream()
  const texts = new Map<string, string>()
  // The inputs of provider-run calls: only their start says that they are.
  const runByProvider = new Set<string>()
  const isCall = (part: StreamPart): boolean => {
    if (part.type === 'tool-input-start' && part.providerExecuted === true) runByProvider.add(part.id)
    return part.type.startsWith('tool-input-')
      ? !runByProvider.has((part as { readonly id: string }).id)
      : part.type === 'tool-call' && part.providerExecuted !== true
  }
  return new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      if (part.type === 'text-delta') {
        texts.set(part.id, (texts.get(part.id) ?? '') + part.delta)
        return
      }
      if (isCall(part)) return
      if (part.type === 'text-end') {
        const { text: delta } = stripped({ text: texts.get(part.id) ?? '' }, options)
        if (delta !== '') controller.enqueue({ type: 'text-delta', id: part.id, delta })
      }
      controller.enqueue(part.type === 'finish' ? { ...part, finishReason: finishOf(part.finishReason) } : part)
    },
  })
}

function isNoCall(part: AnswerPart): boolean {
  return part.type !== 'tool-call' || part.providerExecuted === true
}

/** A JSON answer has its own format, in which anything that looks like markup is data. */
function stripped<Part extends { readonly text: string }>(part: Part, { responseFormat }: CallOptions): Part {
  return responseFormat?.type === 'json' ? part : { ...part, text: stripToolMarkup(part.text) }
}

function finishOf(finishReason: GenerateResult['finishReason']): GenerateResult['finishReason'] {
  return finishReason?.unified === 'tool-calls' ? { ...finishReason, unified: 'stop' } : finishReason
}

/** Whether the answer must be a tool call. */
function isFormForced({ toolChoice }: CallOptions): boolean {
  return toolChoice?.type === 'required' || toolChoice?.type === 'tool'
}
