import type { RequestEdits } from '../../../loop/request-view.ts'
import { addPromptLine } from '../prompt/add-prompt-line.ts'
import { closingPrompt } from '../prompt/closing-prompt.ts'
import { editResults } from '../prompt/tool-results.ts'
import type { CallOptions } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'
import { withThinkingBudget } from './thinking.ts'
import { withToolBounds } from './tool-bounds.ts'

/** The options of a request with these edits; the same object if there are none. */
export function editRequest(request: ModelRequest, edits: RequestEdits): CallOptions {
  const { providerTools } = request
  const { closing } = edits
  const bounded = withToolBounds(request.options, providerTools, edits)
  const capped = withCap(bounded, request, edits)
  const prompt = editedPrompt(capped.prompt, edits)
  const edited = prompt === capped.prompt ? capped : { ...capped, prompt }
  return closing === undefined ? edited : withoutToolUse(edited, request, closing.withoutTools === true)
}

function editedPrompt(prompt: CallOptions['prompt'], edits: RequestEdits): CallOptions['prompt'] {
  const { closing, defused, hints, promptLine } = edits
  const results = editResults(prompt, { hints, defused, leftOut: closing?.resultsLeftOut })
  const told = promptLine === undefined ? results : addPromptLine(results, promptLine)
  return closing === undefined ? told : closingPrompt(told, closing)
}

/** The same tools, with their use forbidden unless one is forced. */
function withoutToolUse(options: CallOptions, { forcesTool }: ModelRequest, withoutTools: boolean): CallOptions {
  const { tools = [] } = options
  if (tools.length === 0 || forcesTool) return options
  if (!withoutTools) return { ...options, toolChoice: { type: 'none' } }
  const { tools: _, toolChoice: __, ...rest } = options
  return rest
}

/** The cap of an edit includes thinking, wherever the provider counts that. */
function withCap(options: CallOptions, { thinking }: ModelRequest, edits: RequestEdits): CallOptions {
  const { maxOutputTokens, thinkingBudget = thinking?.budget } = edits
  const beside = thinking?.form.isBesideCap === true ? (thinkingBudget ?? 0) : 0
  const cap = maxOutputTokens === undefined ? {} : { maxOutputTokens: maxOutputTokens - beside }
  if (thinking === null || thinkingBudget === undefined || thinkingBudget === thinking.budget) {
    return maxOutputTokens === undefined ? options : { ...options, ...cap }
  }
  return { ...options, ...cap, providerOptions: withThinkingBudget(options.providerOptions, thinking, thinkingBudget) }
}
