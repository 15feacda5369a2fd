import { messageOf } from '../../../../core/checks/thrown.ts'
import { assertKnownOptions, InvalidOptionError, optionNames } from '../../../../core/index.ts'
import type { Scope } from '../../../../governor/index.ts'
import { createModelQueue, type ModelQueueOptions } from '../../../../loop/retry.ts'
import { loopOf } from '../../agent-loop.ts'
import { markGoverned } from '../../governed-part.ts'
import type { AnswerSteps } from '../call-governed.ts'
import { callsUnder, type GovernedModelOptions, type ModelCalls } from '../governed-model.ts'
import type { AnyLanguageModel, CallOptions, LanguageModelV3, ProviderOptions } from '../language-model.ts'
import { modelFrom } from '../model-from.ts'
import { failureOf } from './failure-of.ts'

/** A model to try, and the settings that only apply to it. */
export interface FallbackChoice {
  readonly model: AnyLanguageModel | string
  /** Its name in attempts. Default: the id of the model. */
  readonly name?: string
  /** Defaults for the options of the call, which take precedence. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The untrusted file that names it, if one does. Without a price, it is then refused under any cost limit. */
  readonly namedBy?: string
  /** Counts its requests, instead of the common `countTokens`. */
  readonly countTokens?: NonNullable<GovernedModelOptions['countTokens']>
}

/** The result of one request. */
export interface ModelAttempt {
  readonly model: string
  /** `answered`: the answer has begun. */
  readonly status: 'answered' | 'failed'
  readonly error: string | null
}

export interface GovernedFallbackOptions extends GovernedModelOptions {
  /**
   * Called for each request that was answered, or that its provider failed or refused. Refusals by a limit are not
   * attempts.
   */
  readonly onAttempt?: (attempt: ModelAttempt) => void
  /** How often a busy model is retried before the next one is tried. Default: 2, as in the AI SDK. */
  readonly retries?: number
  /** The wait before the first retry if the provider does not name one. Default: 2,000. */
  readonly firstDelayMs?: number
}

const OPTIONS = optionNames<GovernedFallbackOptions>({
  onAttempt: true,
  retries: true,
  firstDelayMs: true,
  hints: true,
  wrapUp: true,
  phase: true,
  input: true,
  allowsUnboundedTools: true,
  countTokens: true,
  namedBy: true,
})
const CHOICE = optionNames<FallbackChoice>({
  model: true,
  name: true,
  providerOptions: true,
  namedBy: true,
  countTokens: true,
})

/**
 * Several models as one: if a provider fails before it begins to answer, the next model is tried, and the rest of the
 * loop stays with that one. Each request is a separate call at the price of its model. After a limit, a pause or an
 * abort, no other model is tried. The last model is retried by the AI SDK (`maxRetries`).
 */
export function governedFallback(
  scope: Scope,
  choices: readonly FallbackChoice[],
  options: GovernedFallbackOptions = {},
): LanguageModelV3 {
  assertKnownOptions('governedFallback', options, OPTIONS)
  for (const choice of choices) assertKnownOptions('governedFallback(scope, choices)', choice, CHOICE)
  return modelOfChoices(scope, choices, options)
}

/** The runner's callbacks around each request, in addition to the public options. */
export interface RequestSteps extends Pick<AnswerSteps, 'onAnswer'>, Pick<ModelQueueOptions, 'onRetry'> {
  /** Also retries the last model here. */
  readonly retriesLast?: boolean
  /** Called once before the first request of a step is sent. */
  readonly onCall?: () => void
}

/** The same with the runner's callbacks. */
export function modelOfChoices(
  scope: Scope,
  choices: readonly FallbackChoice[],
  options: GovernedFallbackOptions,
  { onCall, onAnswer, onRetry, retriesLast = false }: RequestSteps = {},
): LanguageModelV3 {
  const { onAttempt, retries = 2, firstDelayMs = 2_000, ...settings } = options
  const steps: AnswerSteps = { waitsForAnswer: true, ...(onAnswer === undefined ? {} : { onAnswer }) }
  const models = choices.map((choice) => candidateOf(scope, choice, settings, steps))
  const [first] = models
  if (first === undefined) throw new InvalidOptionError('governedFallback(scope, choices)', choices, 'at least one')
  const queue = createModelQueue({
    scope,
    models: models.length,
    retries,
    firstDelayMs,
    retriesLast,
    failureOf,
    hasReachedLimit: () => loopOf(scope).stoppedBy !== null,
    onAttempt(place, error) {
      const { name: model } = models[place]!
      onAttempt?.(
        error === null
          ? { model, status: 'answered', error: null }
          : { model, status: 'failed', error: messageOf(error) },
      )
    },
    ...(onRetry === undefined ? {} : { onRetry }),
  })

  function ask<Answer>(asked: CallOptions, send: Send<Answer>): Promise<Answer> {
    onCall?.()
    return queue.ask(asked.abortSignal, (place) => {
      const { calls, providerOptions } = models[place]!
      return send(calls, { ...asked, ...withDefaults(asked.providerOptions, providerOptions) })
    })
  }

  const { model: inner } = first
  const fallback: LanguageModelV3 = {
    specificationVersion: inner.specificationVersion,
    get provider() {
      return models[queue.current()]!.model.provider
    },
    get modelId() {
      return models[queue.current()]!.model.modelId
    },
    get supportedUrls() {
      return models[queue.current()]!.model.supportedUrls
    },
    doGenerate: (asked) => ask(asked, (calls, sent) => calls.doGenerate(sent)),
    doStream: (asked) => ask(asked, (calls, sent) => calls.doStream(sent)),
  }
  return markGoverned(fallback, scope, inner)
}

type Send<Answer> = (calls: ModelCalls, options: CallOptions) => PromiseLike<Answer>

interface Candidate {
  readonly model: LanguageModelV3
  readonly calls: ModelCalls
  readonly name: string
  readonly providerOptions: ProviderOptions
}

function candidateOf(
  scope: Scope,
  choice: FallbackChoice,
  settings: GovernedModelOptions,
  steps: AnswerSteps,
): Candidate {
  const model = modelFrom(choice.model) as LanguageModelV3
  const { namedBy, countTokens } = choice
  const own = {
    ...(namedBy === undefined ? {} : { namedBy }),
    ...(countTokens === undefined ? {} : { countTokens }),
  }
  return {
    model,
    calls: callsUnder(scope, model, { ...settings, ...own }, steps),
    name: choice.name ?? model.modelId,
    providerOptions: (choice.providerOptions ?? {}) as ProviderOptions,
  }
}

function withDefaults(
  asked: ProviderOptions | undefined,
  defaults: ProviderOptions,
): { readonly providerOptions?: ProviderOptions } {
  const names = [...Object.keys(defaults), ...Object.keys(asked ?? {})]
  if (names.length === 0) return {}
  return { providerOptions: Object.fromEntries(names.map((name) => [name, { ...defaults[name], ...asked?.[name] }])) }
}
