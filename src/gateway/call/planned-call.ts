import { isUncertainPrompt } from '../../governor/closing/is-uncertain-prompt.ts'
import type { ModelCallSpec, ModelGrant } from '../../governor/index.ts'
import { runsAgent } from '../../governor/index.ts'
import { estimateTokens } from '../../pricing/index.ts'
import { expectClosing } from '../agents/agent-state.ts'
import type { RequestEdits } from '../dialects/dialect.ts'
import { defusedResults } from './defused-results.ts'
import { ratiosOf } from './learned-sizes.ts'
import type { LiveCall } from './live-call.ts'
import { createPromptCounter, type PromptCounter } from './prompt-counter.ts'
import { estimatePrompt, type PromptEstimate } from './prompt-estimate.ts'
import { boundProviderTools } from './provider-tools.ts'
import { hintsFor } from './result-hints.ts'

/** A request as it will be sent, but for what its grant says. */
export interface PlannedCall {
  readonly spec: ModelCallSpec
  readonly edits: RequestEdits
  readonly estimate: PromptEstimate
  readonly counter: PromptCounter
  readonly isClosing: boolean
  /** How many calls of tools that the provider runs itself are set aside with it. */
  readonly providerCalls: number
  /** It is paid by a reservation that came with it, whose maker counts the tools that its own client runs. */
  readonly isCarried: boolean
}

// Asked for where the request names no cap. Every model of the last years may write so much.
export const UNNAMED_CAP = 16_384
// What stands around a line about the budget or a hint.
const TOKENS_PER_NOTE = 8
// Hints that what was counted before may not have: that of the newest results, and one of a request that failed.
const UNCOUNTED_HINTS = 2

/** What a call asks of its scope, and how its request changes. Without limits nothing of it does. */
export async function planCall(call: LiveCall): Promise<PlannedCall> {
  const { dialect, request, limits, scope, state } = call
  if (limits.hasAny && request.hasTools && mayClose(call)) expectClosing(state, scope !== call.keyScope)
  const ratios = ratiosOf(call.promptKind, state.sizes, call.sizes)
  const estimate = await estimatePrompt(request, state.marks, limits.boundsOutput, ratios)
  const notes = limits.hasAny ? await notesFor(call, estimate) : NO_NOTES
  const inputTokens = estimate.inputTokens + notes.tokens
  const counted = estimate.countedTokens === 0 ? {} : { countedTokens: estimate.countedTokens }
  const base = { ...specBase(call), ...mediaOf(estimate), ...counted, inputTokens }
  const tools = request.providerTools.length === 0 ? null : await boundProviderTools(call, base)
  const toolCalls = (request.hasTools ? 1 : 0) + (tools?.toolCalls ?? 0)
  const edits: RequestEdits = {
    ...usageEdits(call),
    ...notes.edits,
    ...tools?.edits,
    ...(limits.boundsTools && request.isServerHeld ? { withoutParallelTools: true } : {}),
  }
  const counter = createPromptCounter(call)
  const reading = tools === null || tools.reading.tokens === 0 ? null : tools.reading
  // What tools of the provider bring in is read again and again, and a count says nothing of that.
  const mayCount = reading === null && isUncertainPrompt(base)
  const spec: ModelCallSpec = {
    ...base,
    ...(mayCount ? counter.specFor(() => dialect.readRequest(dialect.editRequest(request, edits))) : {}),
    ...(reading === null ? {} : { inputTokens: inputTokens + reading.tokens, providerReading: reading }),
    ...(toolCalls === 0 ? {} : { toolCalls }),
    ...(tools === null || tools.webSearches === 0 ? {} : { webSearches: tools.webSearches }),
    ...(tools === null || tools.fileSearches === 0 ? {} : { fileSearches: tools.fileSearches }),
  }
  return { spec, edits, estimate, counter, isClosing: false, providerCalls: tools?.toolCalls ?? 0, isCarried: false }
}

/** A run whose loop is elsewhere keeps its closing call for that. */
function mayClose({ options: { admission }, scope, keyScope }: LiveCall): boolean {
  return scope !== keyScope || admission.closesItself?.(keyScope) !== true
}

/** The part of a spec that work and its closing have in common. */
export function specBase({ request, bounds, client, limits }: LiveCall): Omit<ModelCallSpec, 'inputTokens'> {
  const { model, maxOutputTokens, choices, cacheMark, messages, thinkingBudget, priceFactor } = request
  return {
    model,
    maxOutputTokens: maxOutputTokens ?? UNNAMED_CAP,
    choices,
    cacheMark,
    messages,
    ...(thinkingBudget === null ? {} : { thinkingBudget }),
    ...(priceFactor === null ? {} : { priceFactor }),
    waitMs: bounds.waitMs,
    signal: client.signal,
    comesAgain: true,
    ...(limits.hasAny ? { tellsLeft: true } : {}),
    // A title or a topic is asked for beside the conversation, without its tools.
    ...(request.hasTools ? {} : { isAside: true }),
    runsOn: true,
  }
}

/** Media is priced as what it is. */
export function mediaOf({ media }: PromptEstimate): Pick<ModelCallSpec, 'hasMedia' | 'media'> {
  return media === null ? {} : { hasMedia: true, media }
}

/** A stream of chat completions carries its usage only where it is asked to. */
function usageEdits({ dialect, request }: LiveCall): RequestEdits {
  return hidesUsage({ dialect, request }) ? { includeUsage: true } : {}
}

/** Whether only we asked for the usage, so that the client does not see it. */
export function hidesUsage({ dialect, request }: Pick<LiveCall, 'dialect' | 'request'>): boolean {
  return dialect.name === 'openai-chat' && request.isStream && !request.asksForUsage
}

interface Notes {
  readonly edits: RequestEdits
  readonly tokens: number
}

const NO_NOTES: Notes = { edits: {}, tokens: 0 }

/** What the agent sees of its budget. */
async function notesFor({ request, state, scope }: LiveCall, { countedTokens }: PromptEstimate): Promise<Notes> {
  const { hasTools, toolResults } = request
  if (!hasTools && toolResults.length === 0) return NO_NOTES
  const hints = await hintsFor(state, request)
  const defused = await defusedResults(request)
  const promptLine = hasTools ? lineOf(state, scope) : ''
  const edits = {
    ...(promptLine === '' ? {} : { promptLine }),
    ...(hints.size === 0 ? {} : { hints }),
    ...(defused.size === 0 ? {} : { defused }),
  }
  // What was counted has all of them that the prompt had then; only the line of a run stays the same afterwards.
  const isCounted = countedTokens > 0
  const added = [...(isCounted ? [...hints.values()].slice(-UNCOUNTED_HINTS) : hints.values())]
  if (promptLine !== '' && !(isCounted && runsAgent(scope))) added.push(promptLine)
  const sizes = added.map((text) => estimateTokens(text, 'tight', request.model) + TOKENS_PER_NOTE)
  return { edits, tokens: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Of a run it is static, so that caches hold; a budget of many is never at its beginning. */
function lineOf(state: LiveCall['state'], scope: LiveCall['scope']): string {
  if (!runsAgent(scope)) return scope.promptLine()
  state.promptLine ??= scope.promptLine()
  return state.promptLine
}

/** The edits of a request under a grant. The cap is written where a limit bounds it, and only where it changes. */
export function grantedEdits(
  { request, limits }: Pick<LiveCall, 'request' | 'limits'>,
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
