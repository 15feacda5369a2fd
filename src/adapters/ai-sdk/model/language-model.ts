import type { LanguageModel } from 'ai'

/**
 * The public part of an AI SDK model: version 6 has models of specification `v3`, version 7 of `v4`. Both have the same
 * shape wherever we look, so we read both as `v3`.
 */
export interface AnyLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<unknown>
}

export type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
export type CallOptions = Parameters<LanguageModelV3['doGenerate']>[0]
export type Prompt = CallOptions['prompt']
export type PromptMessage = Prompt[number]
export type GenerateResult = Awaited<ReturnType<LanguageModelV3['doGenerate']>>
export type AnswerPart = GenerateResult['content'][number]
export type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
export type ToolMessage = Extract<PromptMessage, { readonly role: 'tool' }>
export type ToolResultPart = Extract<ToolMessage['content'][number], { readonly type: 'tool-result' }>
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>
