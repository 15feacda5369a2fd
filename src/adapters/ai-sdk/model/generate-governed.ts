import { answerUsage } from './answer-usage.ts'
import { callGoverned, type LoopCall } from './call-governed.ts'
import { closingAnswer } from './closing-answer.ts'
import type { GenerateResult } from './language-model.ts'
import { noteText, textOf } from './note-text.ts'
import { servedAs } from './served-as.ts'

/** `doGenerate` within the limits of a scope. */
export function generateGoverned(call: LoopCall): Promise<GenerateResult> {
  const { loop, model } = call
  return callGoverned<GenerateResult>(call, async ({ options, isClosing, request, grant }) => {
    const result = await model.doGenerate(options)
    grant.firstByte()
    const answer = isClosing ? closingAnswer(result, options) : result
    const { content } = answer
    const { response, providerMetadata } = result
    noteText(loop, textOf(content), isClosing)
    return {
      answer,
      content,
      usage: answerUsage(request, result.usage),
      served: servedAs(model.modelId, response?.modelId, providerMetadata),
    }
  })
}
