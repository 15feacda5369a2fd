import type { AnyLanguageModel, ModelSettings } from '../../adapters/ai-sdk/index.ts'
import type { ThinkingLevel } from '../../agents/agent.ts'

/** Provider-specific options of the AI SDK, by provider. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export type CountTokens = NonNullable<ModelSettings['countTokens']>

/** A model that is ready to be called. */
export interface ResolvedModel {
  /** `anthropic/claude-sonnet-4-5`: as shown and stored. */
  readonly name: string
  readonly model: AnyLanguageModel
  /** Where an untrusted file names it. If it has no price, it is refused under any cost limit. */
  readonly namedBy?: string
  /** Counts a request's tokens at the provider, if that has a route for it. */
  readonly countTokens?: CountTokens
  /** The options for a thinking level; empty if it is not set, or the model doesn't support it. */
  thinkingOptions(level: ThinkingLevel | null): ProviderOptions
}

/** Resolves model names. */
export interface ModelSource {
  /**
   * The model of this name; `null`: the default. Rejects with `UnknownModelError`, `MissingKeyError` or
   * `InvalidScriptError`, before anything is sent.
   */
  resolve(name: string | null): Promise<ResolvedModel>
}

export interface ModelSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The config's short names: `default`, `haiku`, `sonnet`, `opus`, or any other. */
  readonly models: ReadonlyMap<string, string>
  /** The short names that untrusted files define, with their places. */
  readonly untrustedModels?: ReadonlyMap<string, string>
  /** The config's providers: additional ones that speak OpenAI's chat completions, and addresses of known ones. */
  readonly providers: ReadonlyMap<string, ProviderSettings>
  /** Providers in untrusted files, with their places. They are not used. */
  readonly foreignProviders?: ReadonlyMap<string, string>
  /** Overrides the address of every provider. */
  readonly baseUrl?: string
  /** Where the files of `scripted/FILE.json` are. */
  readonly workingFolder: string
}

/** A provider's address and the variable of its key. */
export interface ProviderSettings {
  /** `null`: the provider's own. */
  readonly baseUrl: string | null
  /** `null`: the usual variable of a known provider; others are called without a key. */
  readonly apiKeyEnv: string | null
  /** Where it is written, for messages. */
  readonly place: string
}
