import { edgeOf, isUncertainPrompt } from '../governor/edge.ts'
import type { ModelCallSpec, ModelGrant } from '../governor/index.ts'
import { estimateTokens } from '../pricing/index.ts'
import { defusedResults } from './hints/defused-results.ts'
import { hintsFor } from './hints/result-hints.ts'
import type { LoopCall, SentAnswer } from './loop-call.ts'
import type { PlannedCall } from './planned-call.ts'
import { ratiosOf } from './prompt/learned-sizes.ts'
import { createPromptCounter } from './prompt/prompt-counter.ts'
import { estimatePrompt, type PromptEstimate } from './prompt/prompt-estimate.ts'
import { boundProviderTools } from './provider-tools.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

// Asked for where the request names no cap. Every model of the last years may write so much.
const UNNAMED_CAP = 16_384
// What stands around a line about the budget or a hint.
const TOKENS_PER_NOTE = 8
// Hints that what was counted before may not have: that of the newest results, and one of a request that failed.
const UNCOUNTED_HINTS = 2

/** What a call asks of its scope, and how its request changes. Without limits nothing of it does. */
export async function planCall<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
): Promise<PlannedCall<Request>> {
  const { request, limits, settings, state } = call
  const { input = 'tight', learned, reservesToolCall } = settings
  const ratios = learned === undefined ? [] : ratiosOf(learned.kind, state.sizes, learned.elsewhere)
  const estimate = await estimatePrompt(request, state.marks, { isLimited: limits.boundsOutput, ratios, mode: input })
  const notes = settings.tells ? await notesFor(call, estimate) : NO_NOTES
  const inputTokens = estimate.inputTokens + notes.tokens
  const counted = estimate.countedTokens === 0 ? {} : { countedTokens: estimate.countedTokens }
  const base = { ...specBase(call), ...mediaOf(estimate), ...counted, inputTokens }
  const tools = request.providerTools.length === 0 ? null : await boundProviderTools(call, base)
  const toolCalls = (reservesToolCall ? 1 : 0) + (tools?.toolCalls ?? 0)
  const edits: RequestEdits = { ...settings.edits, ...notes.edits, ...tools?.edits }
  const counter = createPromptCounter(call)
  const reading = tools === null || tools.reading.tokens === 0 ? null : tools.reading
  // What tools of the provider bring in is read again and again, and a count says nothing of that.
  const mayCount = reading === null && isUncertainPrompt(base)
  const spec: ModelCallSpec = {
    ...base,
    ...(mayCount ? counter.specFor(() => call.edit(request, edits), base) : {}),
    ...(reading === null ? {} : { inputTokens: inputTokens + reading.tokens, providerReading: reading }),
    ...(toolCalls === 0 ? {} : { toolCalls }),
    ...(tools === null || tools.webSearches === 0 ? {} : { webSearches: tools.webSearches }),
    ...(tools === null || tools.fileSearches === 0 ? {} : { fileSearches: tools.fileSearches }),
  }
  return { spec, edits, estimate, counter, isClosing: false, providerCalls: tools?.toolCalls ?? 0 }
}

/** The part of a spec that work and its closing have in common. */
export function specBase({
  request,
  settings,
}: Pick<LoopCall, 'request' | 'settings'>): Omit<ModelCallSpec, 'inputTokens'> {
  const { model, choices, cacheMark, messages, thinkingBudget, priceFactor } = request
  return {
    model,
    maxOutputTokens: capOf(request),
    choices,
    cacheMark,
    messages,
    ...(thinkingBudget === null ? {} : { thinkingBudget }),
    ...(priceFactor === null ? {} : { priceFactor }),
    ...settings.spec,
  }
}

/** The output cap that is asked for, its thoughts included. */
export function capOf({ maxOutputTokens, thinkingBudget, thinksBesideCap = false }: RequestView): number {
  return maxOutputTokens ?? UNNAMED_CAP + (thinksBesideCap ? (thinkingBudget ?? 0) : 0)
}

/** Media is priced as what it is. */
export function mediaOf({ media }: PromptEstimate): Pick<ModelCallSpec, 'hasMedia' | 'media'> {
  return media === null ? {} : { hasMedia: true, media }
}

interface Notes {
  readonly edits: RequestEdits
  readonly tokens: number
}

const NO_NOTES: Notes = { edits: {}, tokens: 0 }

/** What the agent sees of its budget. */
async function notesFor(
  { request, settings, state }: Pick<LoopCall, 'request' | 'settings' | 'state'>,
  { countedTokens }: PromptEstimate,
): Promise<Notes> {
  const hints = await hintsFor(state, request)
  const defused = await defusedResults(request)
  const promptLine = settings.spec.isAside === true ? '' : lineOf(state)
  const edits = {
    ...(promptLine === '' ? {} : { promptLine }),
    ...(hints.size === 0 ? {} : { hints }),
    ...(defused.size === 0 ? {} : { defused }),
  }
  // What was counted has all of them that the prompt had then; only the line of a run stays the same afterwards.
  const isCounted = countedTokens > 0
  const added = [...(isCounted ? [...hints.values()].slice(-UNCOUNTED_HINTS) : hints.values())]
  if (promptLine !== '' && !(isCounted && edgeOf(state.scope).runsAgent)) added.push(promptLine)
  const { input = 'tight' } = settings
  const sizes = added.map((text) => estimateTokens(text, input, request.model) + TOKENS_PER_NOTE)
  return { edits, tokens: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Of a run it is static, so that caches hold; a budget of many is never at its beginning. */
function lineOf(state: LoopCall['state']): string {
  if (!edgeOf(state.scope).runsAgent) return state.scope.promptLine()
  state.promptLine ??= state.scope.promptLine()
  return state.promptLine
}

/** The edits of a request under a grant. The cap is written where a limit bounds it, and only where it changes. */
export function grantedEdits(
  { request, limits }: Pick<LoopCall, 'request' | 'limits'>,
  edits: RequestEdits,
  grant: Pick<ModelGrant, 'maxOutputTokens' | 'thinkingBudget'>,
): RequestEdits {
  if (!limits.boundsOutput && edits.closing === undefined) return edits
  const { maxOutputTokens, thinkingBudget } = grant
  const isCapped = request.maxOutputTokens === null || maxOutputTokens < request.maxOutputTokens
  const isThoughtCapped = thinkingBudget !== null && thinkingBudget !== request.thinkingBudget
  if (!isCapped && !isThoughtCapped) return edits
  return {
    ...edits,
    ...(isCapped ? { maxOutputTokens } : {}),
    ...(isThoughtCapped ? { thinkingBudget } : {}),
  }
}
