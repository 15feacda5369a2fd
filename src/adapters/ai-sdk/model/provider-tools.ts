import type { CountedCalls } from '../../../governor/index.ts'
import type { PlannedCall } from '../../../loop/planned-call.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import type { AnswerPart } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * What an answer shows of the tools that its provider ran. Searches of one without a bound, and of a model that brings
 * its own, are not in every provider's answers: they are taken to be at least as many as were reserved.
 */
export function countProviderCalls(
  { providerTools }: ModelRequest,
  { providerToolUses }: RequestEdits,
  { spec }: PlannedCall,
  answer: readonly AnswerPart[],
): Required<CountedCalls> {
  const tools = providerTools.filter(({ index }) => providerToolUses?.get(index) !== null)
  const calls = answer.filter(isRunByProvider)
  const others = tools.filter(({ isWebSearch }) => !isWebSearch).map(({ name }) => name)
  const searching = tools.filter(({ isWebSearch }) => isWebSearch)
  const shown = searching.length === 0 ? 0 : calls.filter(({ toolName }) => !others.includes(toolName)).length
  const isUnseen = searching.some(({ isBoundable, isBuiltIn }) => !isBoundable || isBuiltIn === true)
  const webSearches = isUnseen ? Math.max(shown, spec.webSearches ?? 0) : shown
  const inFiles = tools.filter(({ isFileSearch }) => isFileSearch === true).map(({ name }) => name)
  const fileSearches = calls.filter(({ toolName }) => inFiles.includes(toolName)).length
  return { toolCalls: calls.length, webSearches, fileSearches }
}

function isRunByProvider(part: AnswerPart): part is Extract<AnswerPart, { readonly type: 'tool-call' }> {
  return part.type === 'tool-call' && part.providerExecuted === true
}
