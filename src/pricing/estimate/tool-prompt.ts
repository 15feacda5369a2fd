import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'

// What Anthropic adds to a request with tools, and for the tools it defines itself (platform.claude.com, tool use and
// pricing, looked up 2026-11-17). The tool prompt is 313 to 346 tokens since Claude 3.7; before, it was at most 530.
const CLAUDE_TOOLS_PROMPT = 530
const DEFINED: readonly (readonly [type: RegExp, tokens: number])[] = [
  // 735 for the tool, up to 499 for its prompt.
  [/^computer/, 735 + 499],
  [/^text_editor/, 700],
  [/^bash/, 245],
]
// Not published for other tools: as much as the largest single tool.
const UNKNOWN_DEFINED = 700

export interface ToolsOfPrompt {
  readonly toolCount: number
  readonly definedTools: readonly string[]
}

const TOOLS = optionNames<ToolsOfPrompt>({ toolCount: true, definedTools: true })

/**
 * Input that isn't visible in a request: the prompt for using tools, and the tools that the provider defines itself.
 * `definedTools` are the kinds of the latter; `toolCount` counts all tools.
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
