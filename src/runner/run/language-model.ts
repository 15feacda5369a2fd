import type { LanguageModel, ModelMessage } from 'ai'

type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
export type AnswerPart = Awaited<ReturnType<LanguageModelV3['doGenerate']>>['content'][number]
export type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>
export type ToolMessage = Extract<ModelMessage, { readonly role: 'tool' }>
export type ToolResultPart = Extract<ToolMessage['content'][number], { readonly type: 'tool-result' }>
