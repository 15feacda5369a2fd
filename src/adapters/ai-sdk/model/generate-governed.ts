import { answerUsage } from './answer-usage.ts'
import { cacheMarkOf } from './cache-mark-of.ts'
import { callGoverned, type Door, type GovernedCall } from './call-governed.ts'
import { answerWithText, closingAnswer } from './closing-answer.ts'
import type { GenerateResult } from './language-model.ts'
import { noteText, textOf } from './note-text.ts'
import { servedBy } from './served-by.ts'

/** `doGenerate` within the limits of a scope. */
export async function generateGoverned(call: GovernedCall): Promise<GenerateResult> {
  const { loop, model, steps } = call
  const send: Door<GenerateResult>['send'] = async ({ options, isClosing, grant }) => {
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
      usage: answerUsage(cacheMarkOf(options), result.usage),
      servedBy: servedBy(model.modelId, response?.modelId, providerMetadata),
      text,
      isCutByCap: result.finishReason?.unified === 'length',
    }
  }
  const result = await callGoverned(call, { send, isHeld: () => true, withText: answerWithText })
  await steps.onAnswer?.(result.content)
  return result
}
