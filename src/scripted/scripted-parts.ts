import type { LanguageModel } from 'ai'
import type { ScriptedAnswer } from './scripted-types.ts'

type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
type GenerateResult = Awaited<ReturnType<LanguageModelV3['doGenerate']>>
type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
type ToolCall = Extract<GenerateResult['content'][number], { readonly type: 'tool-call' }>

const CHARACTERS_PER_PART = 16

/** An answer as a model of the AI SDK gives it. */
export function resultOf(answer: ScriptedAnswer): GenerateResult {
  const text = answer.text === '' ? [] : [{ type: 'text' as const, text: answer.text }]
  return {
    content: [...text, ...answer.toolCalls.map(toolCallOf)],
    finishReason: finishOf(answer),
    usage: usageOf(answer),
    warnings: [],
  }
}

/** The same, part by part. */
export function partsOf(answer: ScriptedAnswer): readonly StreamPart[] {
  const texts = answer.text.match(new RegExp(`[^]{1,${CHARACTERS_PER_PART}}`, 'g')) ?? []
  return [
    { type: 'stream-start', warnings: [] },
    ...(texts.length === 0 ? [] : [{ type: 'text-start' as const, id: 'text' }]),
    ...texts.map((delta) => ({ type: 'text-delta' as const, id: 'text', delta })),
    ...(texts.length === 0 ? [] : [{ type: 'text-end' as const, id: 'text' }]),
    ...answer.toolCalls.map(toolCallOf),
    { type: 'finish', finishReason: finishOf(answer), usage: usageOf(answer) },
  ]
}

export function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

function toolCallOf({ id, name, arguments: input }: ScriptedAnswer['toolCalls'][number]): ToolCall {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
}

function finishOf({ stop }: ScriptedAnswer): GenerateResult['finishReason'] {
  return { unified: stop === 'end' ? 'stop' : stop, raw: stop }
}

function usageOf({ usage }: ScriptedAnswer): GenerateResult['usage'] {
  const unknown = undefined as number | undefined
  if (usage === null) {
    return {
      inputTokens: { total: unknown, noCache: unknown, cacheRead: unknown, cacheWrite: unknown },
      outputTokens: { total: unknown, text: unknown, reasoning: unknown },
    }
  }
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens } = usage
  const cacheWrite = cacheWriteTokens + cacheWrite1hTokens
  return {
    inputTokens: {
      total: inputTokens + cacheReadTokens + cacheWrite,
      noCache: inputTokens,
      cacheRead: cacheReadTokens,
      cacheWrite,
    },
    outputTokens: { total: outputTokens, text: outputTokens - reasoningTokens, reasoning: reasoningTokens },
  }
}
