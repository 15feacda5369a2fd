import { edgeOf, isUncertainPrompt } from '../governor/edge.ts'
import type { ModelCallSpec, ModelGrant } from '../governor/index.ts'
import type { SizeRatios } from '../pricing/estimate/learned-tokens.ts'
import { estimateTokens } from '../pricing/index.ts'
import type { AgentCall, SentAnswer } from './agent-call.ts'
import { nextAttempt } from './attempts.ts'
import { defusedResults } from './hints/defused-results.ts'
import { hintsFor, type PromptHints } from './hints/result-hints.ts'
import type { PlannedCall } from './planned-call.ts'
import { ratiosOf } from './prompt/learned-sizes.ts'
import { createPromptCounter } from './prompt/prompt-counter.ts'
import { estimatePrompt, type PromptEstimate } from './prompt/prompt-estimate.ts'
import { boundProviderTools } from './provider-tools.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

// Used if the request sets no cap. Every recent model can write this much.
const UNNAMED_CAP = 16_384
// The text around a budget line or a hint.
const TOKENS_PER_NOTE = 8
// Hints that an earlier count may not include: that of the newest results, and one of a request that failed.
const UNCOUNTED_HINTS = 2

/** What a call requests of its scope, and how its request changes. Without limits, nothing does. */
export async function planCall<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
): Promise<PlannedCall<Request>> {
  const { request, limits, settings, state } = call
  const { input = 'tight', learned, reservesToolCall } = settings
  const ratios = (): SizeRatios => (learned === undefined ? [] : ratiosOf(learned.kind, state.sizes, learned.elsewhere))
  const estimate = await estimatePrompt(request, state.marks, { isLimited: limits.boundsOutput, ratios, mode: input })
  const notes = settings.showsBudget ? await notesFor(call, estimate) : NO_NOTES
  const inputTokens = estimate.inputTokens + notes.tokens
  const counted = estimate.countedTokens === 0 ? {} : { countedTokens: estimate.countedTokens }
  const media = estimate.media === null ? {} : mediaOf(estimate)
  const base = { ...specBase(call), ...media, ...counted, inputTokens }
  const tools = request.providerTools.length === 0 ? null : await boundProviderTools(call, base)
  const toolCalls = (reservesToolCall ? 1 : 0) + (tools?.toolCalls ?? 0)
  const edits: RequestEdits = { ...settings.edits, ...notes.edits, ...tools?.edits }
  const counter = createPromptCounter(call)
  const reading = tools === null || tools.reading.tokens === 0 ? null : tools.reading
  // Results of provider-run tools are read repeatedly, which a count does not include.
  const mayCount = reading === null && isUncertainPrompt(base)
  const spec: ModelCallSpec = {
    ...base,
    ...(mayCount ? counter.specFor(() => call.edit(request, edits), base) : {}),
    ...(reading === null ? {} : { inputTokens: inputTokens + reading.tokens, providerReading: reading }),
    ...(toolCalls === 0 ? {} : { toolCalls }),
    ...(notes.hint === null ? {} : { hint: notes.hint }),
    ...(tools === null || tools.webSearches === 0 ? {} : { webSearches: tools.webSearches }),
    ...(tools === null || tools.fileSearches === 0 ? {} : { fileSearches: tools.fileSearches }),
  }
  return { spec, edits, estimate, counter, isClosing: false, providerCalls: tools?.toolCalls ?? 0 }
}

/** The part of a spec that a call and its closing call have in common. */
export function specBase({
  request,
  settings,
  attempts,
}: Pick<AgentCall, 'request' | 'settings' | 'attempts'>): Omit<ModelCallSpec, 'inputTokens'> {
  const { model, choices, cacheMark, messages, thinkingBudget, priceFactor } = request
  return {
    model,
    maxOutputTokens: request.maxOutputTokens ?? capOf(request),
    choices,
    cacheMark,
    messages,
    ...(thinkingBudget === null ? {} : { thinkingBudget }),
    ...(priceFactor === null ? {} : { priceFactor }),
    ...nextAttempt(attempts),
    ...settings.spec,
  }
}

/** The requested output cap, including thinking. */
export function capOf({ maxOutputTokens, thinkingBudget, thinksBesideCap = false }: RequestView): number {
  return maxOutputTokens ?? UNNAMED_CAP + (thinksBesideCap ? (thinkingBudget ?? 0) : 0)
}

/** Media is priced by its kind. */
export function mediaOf({ media }: PromptEstimate): Pick<ModelCallSpec, 'hasMedia' | 'media'> {
  return media === null ? {} : { hasMedia: true, media }
}

interface Notes {
  readonly edits: RequestEdits
  readonly tokens: number
  /** The hint that is new in this request. */
  readonly hint: string | null
}

const NO_HINTS: PromptHints = { texts: [], fresh: null }
const NO_NOTES: Notes = { edits: {}, tokens: 0, hint: null }

/** What the agent sees of its budget. */
async function notesFor(
  { request, settings, state }: Pick<AgentCall, 'request' | 'settings' | 'state'>,
  { countedTokens }: PromptEstimate,
): Promise<Notes> {
  // A count includes all hints that the prompt had then; only the line of a run stays the same afterwards.
  const isCounted = countedTokens > 0
  const hasResults = request.toolResults.length > 0
  const { texts, fresh } = hasResults ? await hintsFor(state, request, isCounted ? UNCOUNTED_HINTS : null) : NO_HINTS
  const added = [...texts]
  const defused = hasResults ? await defusedResults(request) : null
  const promptLine = settings.spec.isAside === true ? '' : (state.promptLine ?? lineOf(state))
  const edits = {
    ...(promptLine === '' ? {} : { promptLine }),
    ...(hasResults ? { hints: state.hints } : {}),
    ...(defused === null || defused.size === 0 ? {} : { defused }),
  }
  if (promptLine !== '' && !(isCounted && edgeOf(state.scope).runsAgent)) added.push(promptLine)
  let tokens = 0
  for (const text of added) tokens += estimateTokens(text, settings.input ?? 'tight', request.model) + TOKENS_PER_NOTE
  return { edits, tokens, hint: fresh }
}

/** The line of a run is remembered, so that caches stay valid; that of a shared budget is computed each time. */
function lineOf(state: AgentCall['state']): string {
  if (!edgeOf(state.scope).runsAgent) return state.scope.promptLine()
  state.promptLine = state.scope.promptLine()
  return state.promptLine
}

/** The edits of a request under a grant. The cap is written if a limit bounds it, and only if it changes. */
export function grantedEdits(
  { request, limits }: Pick<AgentCall, 'request' | 'limits'>,
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
