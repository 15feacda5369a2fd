import { isElasticMeter, isEnforced, type Limit } from '../../../core/index.ts'
import { isWithinAnother, type ModelCallSpec, type ModelGrant } from '../../../governor/index.ts'
import type { EstimateMode, Phase } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { estimatePrompt } from '../prompt/estimate-prompt.ts'
import { promptDigests } from '../prompt/prompt-digests.ts'
import { cacheMarkOf } from './cache-mark-of.ts'
import type { CallOptions, LanguageModelV3 } from './language-model.ts'
import { capOptions, type OutputCap, outputCapOf } from './output-cap.ts'
import { priceFactorOf } from './price-factor-of.ts'
import type { TokenCountRequest } from './token-count-request.ts'

/** How the calls of a model are counted. */
export interface ModelSettings {
  /** The phase whose meter the cost counts on, beside `cost`. Default: `execution`. */
  readonly phase?: Phase
  /** Whether the input is estimated with a margin (`tight`, the default) or bounded by its bytes (`strict`). */
  readonly input?: EstimateMode
  /** Tools that the provider runs and no request can bound stay in it, though a limit counts them. Default: no. */
  readonly allowsUnboundedTools?: boolean
  /**
   * Asks the provider how many tokens a request has; `null` where it does not say. Called at most once for each call of
   * the model, before that is refused, closed or cut short because of an estimate. Not a model call.
   */
  readonly countTokens?: (request: TokenCountRequest) => Promise<number | null>
  /** Where an untrusted file names the model. Without a price it is then refused under any cost limit. */
  readonly namedBy?: string
}

/** A request to a model, with what the ledger must know of it. */
export interface ModelRequest {
  readonly options: CallOptions
  /** Of the whole prompt, and of those beginnings that may have been counted. */
  readonly digests: ReadonlyMap<number, string>
  readonly cap: OutputCap
  readonly spec: ModelCallSpec
}

/** Names the reservation on the wire, so that a gateway of the same ledger counts the call once. */
const RESERVATION_HEADER = 'x-stint-reservation'

const PROVIDERS: Readonly<Record<string, string>> = { 'amazon-bedrock': 'aws', bedrock: 'aws', vertex: 'google' }

/** Brings a request to the form that the governor decides on. */
export function modelRequest(
  loop: AgentLoop,
  model: LanguageModelV3,
  settings: ModelSettings,
  options: CallOptions,
): ModelRequest {
  const { phase, input = 'tight', namedBy } = settings
  const { modelId } = model
  const digests = promptDigests(modelId, options, loop.marks.lengths())
  const cap = outputCapOf(model, options)
  const { maxOutputTokens, thinking } = cap
  const priceFactor = priceFactorOf(modelId, options)
  const estimate = estimatePrompt({ modelId, options, digests, marks: loop.marks, mode: input })
  const { inputTokens, countedTokens, media } = estimate
  const spec: ModelCallSpec = {
    model: modelId,
    provider: providerOf(model.provider),
    inputTokens,
    ...(countedTokens === 0 ? {} : { countedTokens }),
    maxOutputTokens,
    cacheMark: cacheMarkOf(options),
    ...(media === null ? {} : { hasMedia: true, media }),
    messages: options.prompt.filter(({ role }) => role !== 'system').length,
    ...(thinking === null ? {} : { thinkingBudget: thinking.budget }),
    ...(phase === undefined ? {} : { phase }),
    ...(priceFactor === null ? {} : { priceFactor }),
    ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
    ...(namedBy === undefined ? {} : { namedBy }),
  }
  return { options, digests, cap, spec }
}

/**
 * The request as it is sent under a grant. Without limits on the path it is the one that was asked for, unless a gateway
 * above has to know that it is counted already.
 */
export function sentOptions(loop: AgentLoop, { options, cap }: ModelRequest, grant: ModelGrant): CallOptions {
  const limits = loop.scope.limits()
  const { abortSignal, headers } = options
  const signal = abortSignal === undefined ? grant.signal : AbortSignal.any([abortSignal, grant.signal])
  if (limits.length === 0 && !isWithinAnother(loop.scope)) return { ...options, abortSignal: signal }
  return {
    ...options,
    ...(limits.some(boundsOutput) ? capOptions(options, cap, grant) : {}),
    headers: { ...headers, [RESERVATION_HEADER]: grant.reservationId },
    abortSignal: signal,
  }
}

/** Whether the output of a call counts on a limit that is enforced. */
export function boundsOutput({ meter, action }: Limit): boolean {
  return isEnforced(action) && isElasticMeter(meter)
}

function providerOf(provider: string): string | undefined {
  const [name = ''] = provider.split('.')
  if (name === '' || name === 'gateway') return undefined
  const [vendor = ''] = name.split('-')
  return PROVIDERS[name] ?? PROVIDERS[vendor] ?? vendor
}
