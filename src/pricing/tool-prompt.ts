import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'

// What Anthropic adds to a request with tools, and for those that it defines itself (platform.claude.com, tool use and
// pricing, looked up 2026-11-17). The prompt for tools is 313 to 346 tokens since Claude 3.7, and was 530 at most.
const CLAUDE_TOOLS_PROMPT = 530
const DEFINED: readonly (readonly [type: RegExp, tokens: number])[] = [
  // 735 for the tool, up to 499 for the prompt that comes with it.
  [/^computer/, 735 + 499],
  [/^text_editor/, 700],
  [/^bash/, 245],
]
// For others nobody publishes it: as much as the largest single tool.
const UNKNOWN_DEFINED = 700

export interface ToolsOfPrompt {
  readonly toolCount: number
  readonly definedTools: readonly string[]
}

const TOOLS = optionNames<ToolsOfPrompt>({ toolCount: true, definedTools: true })

/**
 * Input that no text of a request shows: the prompt that lets a model use tools, and the tools that its provider defines
 * itself. `definedTools` are the kinds of those; `toolCount` counts them and all others.
 */
export function toolPromptTokens(model: string, tools: ToolsOfPrompt): number {
  assertKnownOptions('toolPromptTokens', tools, TOOLS)
  const { toolCount, definedTools } = tools
  const prompt = toolCount > 0 && /claude|anthropic/i.test(model) ? CLAUDE_TOOLS_PROMPT : 0
  return definedTools.reduce(
    (tokens, type) => tokens + (DEFINED.find(([pattern]) => pattern.test(type))?.[1] ?? UNKNOWN_DEFINED),
    prompt,
  )
}
