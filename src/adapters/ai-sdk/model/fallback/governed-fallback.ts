import { assertKnownOptions, InvalidOptionError, isStintError, optionNames } from '../../../../core/index.ts'
import type { Scope } from '../../../../governor/index.ts'
import { loopOf } from '../../agent-loop.ts'
import { markGoverned } from '../../governed-part.ts'
import { type GovernedModelOptions, governedModel } from '../governed-model.ts'
import type { AnyLanguageModel, CallOptions, LanguageModelV3, ProviderOptions } from '../language-model.ts'
import { modelFrom } from '../model-from.ts'
import { begunStream } from './begun-stream.ts'
import { providerFault } from './provider-fault.ts'
import { waitToRetry } from './retry-delay.ts'

/** A model to try, and what goes with it only. */
export interface FallbackChoice {
  readonly model: AnyLanguageModel | string
  /** How attempts name it. Default: the id of the model. */
  readonly name?: string
  /** Under those of the call, which win. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Where an untrusted file names it. Without a price it is then refused under any cost limit. */
  readonly namedBy?: string
  /** Counts its requests, in place of the `countTokens` of all. */
  readonly countTokens?: NonNullable<GovernedModelOptions['countTokens']>
}

/** What became of one request. */
export interface ModelAttempt {
  readonly model: string
  /** `answered`: the answer has begun. */
  readonly status: 'answered' | 'failed'
  readonly error: string | null
}

export interface GovernedFallbackOptions extends GovernedModelOptions {
  /** Told of each request that was answered, or that its provider failed or refused. Limits are no attempts. */
  readonly onAttempt?: (attempt: ModelAttempt) => void
  /** How often a busy model is asked again before the next one is tried. Default: 2, as the AI SDK. */
  readonly retries?: number
  /** The wait before the first of those where the provider says none. Default: 2,000. */
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
 * Several models as one: where a provider fails before it has begun to answer, the next model is asked, and the rest of
 * the loop stays with that one. Each request is a call of its own with the price of its model. A limit, a pause or an
 * abort is never followed by another model. The retries of the last one are those of the AI SDK (`maxRetries`).
 */
export function governedFallback(
  scope: Scope,
  choices: readonly FallbackChoice[],
  options: GovernedFallbackOptions = {},
): LanguageModelV3 {
  assertKnownOptions('governedFallback', options, OPTIONS)
  for (const choice of choices) assertKnownOptions('governedFallback(scope, choices)', choice, CHOICE)
  const { onAttempt = () => {}, retries = 2, firstDelayMs = 2_000, ...settings } = options
  const models = choices.map((choice) => candidateOf(scope, choice, settings))
  const [first] = models
  if (first === undefined) throw new InvalidOptionError('governedFallback(scope, choices)', choices, 'at least one')
  let current = 0

  /** Whether the next request goes out; it throws where no other can help. */
  async function prepareNext(error: unknown, asked: CallOptions, retry: number): Promise<boolean> {
    const fault = providerFault(error)
    // What fails after a limit is the closing call: the limit is why the loop ends, whoever might still answer.
    const isOver = isOursOrOver(error, asked) || loopOf(scope).stoppedBy !== null
    if (fault === null || isOver || current === models.length - 1) throw error
    const asksAgain = fault === 'busy' && retry < retries
    if (asksAgain) {
      await waitToRetry(error, { retry, firstDelayMs, scopeSignal: scope.signal, callSignal: asked.abortSignal })
    }
    return asksAgain
  }

  /** Whether it was a limit, a pause or an abort that ended a request, and not who was asked. */
  function isOursOrOver(error: unknown, { abortSignal }: CallOptions): boolean {
    return isStintError(error) || abortSignal?.aborted === true || scope.signal.aborted
  }

  async function ask<Answer>(asked: CallOptions, send: Send<Answer>): Promise<Answer> {
    let retry = 0
    for (;;) {
      const place = current
      const { model, name, providerOptions } = models[place]!
      try {
        const answer = await send(model, { ...asked, ...withDefaults(asked.providerOptions, providerOptions) })
        onAttempt({ model: name, status: 'answered', error: null })
        return answer
      } catch (error) {
        if (!isOursOrOver(error, asked)) onAttempt({ model: name, status: 'failed', error: textOf(error) })
        if (await prepareNext(error, asked, retry)) retry++
        else {
          // Another call of the same loop may have gone on before.
          current = Math.max(current, place + 1)
          retry = 0
        }
      }
    }
  }

  const fallback: LanguageModelV3 = {
    specificationVersion: first.model.specificationVersion,
    get provider() {
      return models[current]!.model.provider
    },
    get modelId() {
      return models[current]!.model.modelId
    },
    get supportedUrls() {
      return models[current]!.model.supportedUrls
    },
    doGenerate: (asked) => ask(asked, (model, sent) => model.doGenerate(sent)),
    doStream: (asked) => ask(asked, async (model, sent) => begunStream(await model.doStream(sent))),
  }
  return markGoverned(fallback, scope, first.inner)
}

type Send<Answer> = (model: LanguageModelV3, options: CallOptions) => PromiseLike<Answer>

interface Candidate {
  readonly model: LanguageModelV3
  readonly inner: LanguageModelV3
  readonly name: string
  readonly providerOptions: ProviderOptions
}

function candidateOf(scope: Scope, choice: FallbackChoice, settings: GovernedModelOptions): Candidate {
  const inner = modelFrom(choice.model)
  const { namedBy, countTokens } = choice
  const own = {
    ...(namedBy === undefined ? {} : { namedBy }),
    ...(countTokens === undefined ? {} : { countTokens }),
  }
  return {
    inner: inner as LanguageModelV3,
    model: governedModel(scope, inner, { ...settings, ...own }) as AnyLanguageModel as LanguageModelV3,
    name: choice.name ?? inner.modelId,
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

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
