import { answerUsage } from './answer-usage.ts'
import { callGoverned, type LoopCall, type Send } from './call-governed.ts'
import { answerWithText, closingAnswer } from './closing-answer.ts'
import type { GenerateResult } from './language-model.ts'
import { noteText, textOf } from './note-text.ts'
import { servedAs } from './served-as.ts'

/** `doGenerate` within the limits of a scope. */
export function generateGoverned(call: LoopCall): Promise<GenerateResult> {
  const { loop, model } = call
  const send: Send<GenerateResult> = async ({ options, isClosing, request, grant }) => {
    const result = await model.doGenerate(options)
    grant.firstByte()
    const answer = isClosing ? closingAnswer(result, options) : result
    const { content } = answer
    const { response, providerMetadata } = result
    const text = textOf(content)
    if (!isClosing) noteText(loop, text, false)
    return {
      answer,
      content,
      usage: answerUsage(request, result.usage),
      served: servedAs(model.modelId, response?.modelId, providerMetadata),
      text,
      isCutByCap: result.finishReason?.unified === 'length',
      isReplaceable: true,
    }
  }
  return callGoverned(call, { send, withText: answerWithText })
}
