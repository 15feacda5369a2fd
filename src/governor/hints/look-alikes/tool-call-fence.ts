const TOOL_LANGUAGES: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool_use',
  'function_call',
])
const DATA_LANGUAGES: ReadonlySet<string> = new Set(['', 'json'])
const CUT_OFF_CALL = /^\s*\{\s*"name"\s*:\s*"[^"\n]{1,200}"\s*,\s*"arguments"\s*:/

/**
 * Whether a fenced block is a tool call rather than code: by its language, or because it is exactly one call as JSON.
 */
export function isToolCallFence(info: string, content: string, isCutOff: boolean): boolean {
  const language = info.split(/\s/, 1)[0]!.toLowerCase()
  if (TOOL_LANGUAGES.has(language)) return true
  if (!DATA_LANGUAGES.has(language)) return false
  return isCutOff ? CUT_OFF_CALL.test(content) : isCall(content)
}

function isCall(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value !== 'object' || value === null) return false
    return Object.hasOwn(value, 'name') && Object.hasOwn(value, 'arguments')
  } catch {
    return false
  }
}
