import type { Breach } from '../../../core/index.ts'
import { editedTokens } from '../../../pricing/edited-tokens.ts'
import { completeUsage, promptTokens, SMALLEST_ANSWER, SMALLEST_THINKING, type Usage } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { closingPrompt, resultsIn, shortClosingPrompt, withoutOldestResults } from '../prompt/closing-prompt.ts'
import { estimatePrompt } from '../prompt/estimate-prompt.ts'
import { createTokenMarks } from '../prompt/token-marks.ts'
import type { CallOptions, LanguageModelV3 } from './language-model.ts'
import { type ModelRequest, type ModelSettings, modelRequest } from './model-request.ts'
import { outputCapOf } from './output-cap.ts'
import type { KnownPrompt } from './prompt-counter.ts'
import { withThinkingBudget } from './thinking.ts'

// More than is held back for it: taken where there is room.
const LONGEST_CLOSING_ANSWER = 4_096

/** Whether the caller wants an answer in a form that only a tool call has: its form wins. */
export function isFormForced({ toolChoice }: CallOptions): boolean {
  return toolChoice?.type === 'required' || toolChoice?.type === 'tool'
}

/** The request as the closing call: the same tools, of which none may be used, and the least of thinking. */
export function closingOptions(
  model: Pick<LanguageModelV3, 'provider' | 'modelId'>,
  options: CallOptions,
  breach: Breach,
): CallOptions {
  const { tools } = options
  const { maxOutputTokens, thinking } = outputCapOf(model, options)
  const closing = {
    ...options,
    prompt: closingPrompt(options.prompt, breach),
    maxOutputTokens: Math.min(maxOutputTokens, LONGEST_CLOSING_ANSWER),
    ...(tools === undefined || tools.length === 0 || isFormForced(options) ? {} : { toolChoice: NO_TOOL }),
  }
  if (thinking === null) return closing
  const budget = Math.min(thinking.budget, SMALLEST_THINKING)
  const within = thinking.form.isBesideCap ? 0 : budget
  return {
    ...closing,
    maxOutputTokens: closing.maxOutputTokens + within,
    providerOptions: withThinkingBudget(options.providerOptions, thinking, budget),
  }
}

/** Whether the answer must have a form in which no text of ours may stand. */
export function keepsForm(options: CallOptions): boolean {
  return isFormForced(options) || options.responseFormat?.type === 'json'
}

/** A closing call once more, for a short answer. `usage`: what the first one took. */
export function shortClosingRequest(
  {
    loop,
    model,
    settings,
  }: { readonly loop: AgentLoop; readonly model: LanguageModelV3; readonly settings: ModelSettings },
  { options, spec }: ModelRequest,
  breach: Breach,
  usage: Partial<Usage> | null,
): ModelRequest {
  const { thinking } = outputCapOf(model, options)
  const within = thinking === null ? thoughtsOf(usage) : thinking.form.isBesideCap ? 0 : thinking.budget
  const maxOutputTokens = Math.min(options.maxOutputTokens ?? LONGEST_CLOSING_ANSWER, SMALLEST_ANSWER + within)
  const prompt = shortClosingPrompt(options.prompt, breach)
  const request = modelRequest(loop, model, settings, { ...options, prompt, maxOutputTokens })
  const known = Number.isSafeInteger(usage?.inputTokens) ? promptTokens(completeUsage(usage!)) : spec.inputTokens
  const inputTokens = Math.min(request.spec.inputTokens, known + LONGEST_ADDED_TEXT)
  return { ...request, spec: { ...request.spec, inputTokens } }
}

// The sentence that asks for a short answer has fewer bytes, and so fewer tokens.
const LONGEST_ADDED_TEXT = 64

/** A model may think without a budget for it. */
function thoughtsOf(usage: Partial<Usage> | null): number {
  return (usage?.reasoningTokens ?? 0) > 0 ? SMALLEST_THINKING : 0
}

const NO_TOOL = { type: 'none' } as const

/**
 * The closing request as it is, then with ever more of its oldest tool results left out, and at last without any of
 * their text.
 */
export function* closingRequests(
  loop: AgentLoop,
  model: LanguageModelV3,
  settings: ModelSettings,
  options: CallOptions,
  known: () => KnownPrompt,
): Generator<ModelRequest> {
  const sized = (closing: CallOptions): ModelRequest => {
    const request = modelRequest(loop, model, settings, closing)
    return settings.input === 'strict' ? request : sizedBy(known(), request, model)
  }
  yield sized(options)
  const results = resultsIn(options.prompt)
  for (let left = 1; left < results * 2; left *= 2) {
    const prompt = withoutOldestResults(options.prompt, Math.min(left, results))
    yield sized({ ...options, prompt })
  }
}

/** What was left out is in no prompt that was counted before, but the call that it was left out of is known better. */
function sizedBy(known: KnownPrompt, request: ModelRequest, { modelId }: LanguageModelV3): ModelRequest {
  const fromScratch = (options: CallOptions): number =>
    estimatePrompt({ modelId, options, digests: new Map(), marks: createTokenMarks(), mode: 'tight' }).inputTokens
  const estimates = { original: fromScratch(known.options), edited: fromScratch(request.options) }
  const inputTokens = Math.min(request.spec.inputTokens, editedTokens(estimates, known.inputTokens))
  return { ...request, spec: { ...request.spec, inputTokens } }
}
