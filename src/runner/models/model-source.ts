import type { AnyLanguageModel, ModelSettings } from '../../adapters/ai-sdk/index.ts'
import type { ThinkingLevel } from '../../agents/agent.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Options of the AI SDK that only one provider reads, by its name. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export type CountTokens = NonNullable<ModelSettings['countTokens']>

/** A model that is ready to be called. */
export interface ResolvedModel {
  /** `anthropic/claude-sonnet-4-5`: as it is shown and written to disk. */
  readonly name: string
  readonly model: AnyLanguageModel
  /** Where an untrusted file names it. Without a price it is then refused under any cost limit. */
  readonly namedBy?: string
  /** Has its provider count a request; only where that has a route for it. */
  readonly countTokens?: CountTokens
  /** What a thinking level is to this model; empty where it was not said, or where the model has no such thing. */
  thinkingOptions(level: ThinkingLevel | null): ProviderOptions
}

/** Where models come from. */
export interface ModelSource {
  /**
   * The model of a name; `null`: the default. Rejects with `UnknownModelError`, `MissingKeyError` or
   * `InvalidScriptError`, which say what to do, before anything is sent.
   */
  resolve(name: string | null): Promise<ResolvedModel>
}

export interface ModelSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The short names of the config: `default`, `haiku`, `sonnet`, `opus`, or any word. */
  readonly models: ReadonlyMap<string, string>
  /** Those of them that an untrusted file defines, with the place of each. */
  readonly untrustedModels?: ReadonlyMap<string, string>
  /** The providers of the config: those that speak OpenAI's chat completions, and where those are that we know. */
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** Providers that are named where nobody may say where keys go, with the place of each. They are not used. */
  readonly foreignProviders?: ReadonlyMap<string, string>
  /** Holds for whichever provider a model names. */
  readonly baseUrl?: string
  /** Where the files of `scripted/FILE.json` are. */
  readonly workingFolder: string
}
