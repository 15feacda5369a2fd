import type { LanguageModel } from 'ai'
import type { ScriptedAnswer } from './scripted-types.ts'

type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
type GenerateResult = Awaited<ReturnType<LanguageModelV3['doGenerate']>>
type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
type ToolCall = Extract<GenerateResult['content'][number], { readonly type: 'tool-call' }>
type ToolResult = Extract<GenerateResult['content'][number], { readonly type: 'tool-result' }>

const CHARACTERS_PER_PART = 16
// A long answer comes in longer parts, as from a provider, rather than in a million.
const MOST_PARTS = 10_000

/** An answer as the result of an AI SDK model. */
export function resultOf(answer: ScriptedAnswer): GenerateResult {
  const text = answer.text === '' ? [] : [{ type: 'text' as const, text: answer.text }]
  return {
    content: [...searchesOf(answer), ...text, ...answer.toolCalls.map(toolCallOf)],
    finishReason: finishOf(answer),
    usage: usageOf(answer),
    warnings: [],
  }
}

/** An answer as stream parts. One that breaks off has no finish. */
export function partsOf(answer: ScriptedAnswer): readonly StreamPart[] {
  const characters = Math.max(CHARACTERS_PER_PART, Math.ceil(answer.text.length / MOST_PARTS))
  const texts = answer.text.match(new RegExp(`[^]{1,${characters}}`, 'g')) ?? []
  return [
    { type: 'stream-start', warnings: [] },
    ...searchesOf(answer),
    ...(texts.length === 0 ? [] : [{ type: 'text-start' as const, id: 'text' }]),
    ...texts.map((delta) => ({ type: 'text-delta' as const, id: 'text', delta })),
    ...(answer.breaksOff ? [] : endOf(answer, texts.length > 0)),
  ]
}

function endOf(answer: ScriptedAnswer, hasText: boolean): readonly StreamPart[] {
  return [
    ...(hasText ? [{ type: 'text-end' as const, id: 'text' }] : []),
    ...answer.toolCalls.map(toolCallOf),
    { type: 'finish', finishReason: finishOf(answer), usage: usageOf(answer) },
  ]
}

/** A stream of the parts, which then fails if there is a failure. */
export function streamOf(parts: readonly StreamPart[], failure: Error | null): ReadableStream<StreamPart> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const part = parts[next++]
      if (part !== undefined) controller.enqueue(part)
      else if (failure === null) controller.close()
      else controller.error(failure)
    },
  })
}

/** The searches that the provider ran, each with its result. */
function searchesOf({ webSearches }: ScriptedAnswer): readonly (ToolCall | ToolResult)[] {
  return Array.from({ length: webSearches }, (_, index) => {
    const call = { toolCallId: `search-${index + 1}`, toolName: 'web_search' }
    return [
      { type: 'tool-call' as const, ...call, input: '{}', providerExecuted: true },
      { type: 'tool-result' as const, ...call, result: [] },
    ]
  }).flat()
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
