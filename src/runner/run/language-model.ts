import type { LanguageModel, ModelMessage } from 'ai'

export type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
export type AnswerPart = Awaited<ReturnType<LanguageModelV3['doGenerate']>>['content'][number]
type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
export type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>
export type ToolMessage = Extract<ModelMessage, { readonly role: 'tool' }>
export type ToolResultPart = Extract<ToolMessage['content'][number], { readonly type: 'tool-result' }>
