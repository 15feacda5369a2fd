import type { ModelAnswer } from '../../../governor/index.ts'
import type { PlannedCall } from '../../../loop/planned-call.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import type { AnswerPart } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * The provider-run tool calls in an answer. Not every provider reports the searches of an unbounded tool, or of a model
 * with built-in search: at least as many as were reserved are assumed.
 */
export function countProviderCalls(
  { providerTools }: ModelRequest,
  { providerToolUses }: RequestEdits,
  { spec }: PlannedCall,
  answer: readonly AnswerPart[],
): Pick<ModelAnswer<unknown>, 'toolCalls' | 'webSearches' | 'fileSearches'> {
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
