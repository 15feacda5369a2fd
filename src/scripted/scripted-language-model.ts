import { APICallError, type LanguageModel } from 'ai'
import { assertKnownOptions, optionNames } from '../core/index.ts'
import {
  createScriptedModel,
  type ScriptedBookEntry,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
import { ScriptedModelError } from './scripted-model-error.ts'
import { partsOf, resultOf, streamOf } from './scripted-parts.ts'
import { scriptedRequestFrom } from './scripted-request-from.ts'
import type { Script, ScriptedAnswer } from './scripted-types.ts'

export type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
export type CallOptions = Parameters<LanguageModelV3['doGenerate']>[0]

/** A scripted model that the AI SDK can call. */
export type ScriptedLanguageModel = LanguageModelV3 & {
  /** Every request that arrived, in a provider-neutral form. */
  readonly book: readonly ScriptedBookEntry[]
  /** The same requests as the AI SDK sent them, without functions and signals. */
  readonly requests: readonly Omit<CallOptions, 'abortSignal'>[]
}

export interface ScriptedLanguageModelOptions extends ScriptedModelOptions {
  /** Default: `scripted-model`, which has no price. */
  readonly modelId?: string
  /** Default: `v3`, of version 6 of the AI SDK; version 7 has `v4`. */
  readonly specificationVersion?: 'v3' | 'v4'
}

const OPTIONS = optionNames<ScriptedLanguageModelOptions>({
  maxOutputTokens: true,
  clock: true,
  modelId: true,
  specificationVersion: true,
})

/**
 * A model for the AI SDK that follows a script and refuses what real providers refuse. It reads a thinking budget from
 * Anthropic's options, and counts it like Anthropic: in addition to the AI SDK's output cap.
 */
export function createScriptedLanguageModel(
  script: Script | ScriptedModel,
  options: ScriptedLanguageModelOptions = {},
): ScriptedLanguageModel {
  assertKnownOptions('createScriptedLanguageModel', options, OPTIONS)
  const { modelId = 'scripted-model', specificationVersion = 'v3', ...modelOptions } = options
  const model = 'book' in script ? script : createScriptedModel(script, modelOptions)
  const requests: Omit<CallOptions, 'abortSignal'>[] = []

  async function ask(asked: CallOptions): Promise<ScriptedAnswer> {
    const { abortSignal, ...seen } = asked
    requests.push(JSON.parse(JSON.stringify(seen)))
    try {
      return await model.call({
        ...scriptedRequestFrom(asked),
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      })
    } catch (error) {
      throw error instanceof ScriptedModelError ? apiError(error) : error
    }
  }

  return {
    specificationVersion: specificationVersion as 'v3',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    book: model.book,
    requests,
    async doGenerate(asked) {
      const answer = await ask(asked)
      if (answer.breaksOff) throw unreadAnswer()
      return resultOf(answer)
    },
    async doStream(asked) {
      const answer = await ask(asked)
      return { stream: streamOf(partsOf(answer), answer.breaksOff ? brokenConnection() : null) }
    },
  }
}

/** The error of `fetch` when a connection ends in the middle of a body. */
function brokenConnection(): Error {
  return new TypeError('terminated', { cause: new Error('other side closed') })
}

/** The error of the AI SDK's providers for that, when they read an answer as a whole. */
function unreadAnswer(): APICallError {
  return new APICallError({
    message: 'Failed to process successful response',
    url: 'scripted:',
    requestBodyValues: {},
    statusCode: 200,
    cause: brokenConnection(),
  })
}

/** The error of the AI SDK's providers. It is retried like a real one, without the wait. */
function apiError({ status, message }: ScriptedModelError): APICallError {
  return new APICallError({
    message,
    url: 'scripted:',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: { 'retry-after-ms': '1' },
  })
}
