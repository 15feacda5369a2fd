import { isGiven, type JsonObject, objectOf, textOf } from '../../json/json-value.ts'
import { signatureOf } from './signature.ts'

/** Why the provider refuses a block, to be appended to its place; `null`: it doesn't. */
export function blockProblem(block: JsonObject): string | null {
  switch (block.type) {
    case undefined:
      return '.type: Field required'
    case 'text':
      if (typeof block.text !== 'string') return '.text.text: Field required'
      if (block.text !== '') return null
      return isGiven(block.cache_control)
        ? '.text: cache_control cannot be set for empty text blocks'
        : ': text content blocks must be non-empty'
    case 'thinking':
      if (isGiven(block.cache_control)) return '.thinking.cache_control: Extra inputs are not permitted'
      return block.signature === signatureOf(textOf(block.thinking))
        ? null
        : ': Invalid `signature` in `thinking` block'
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(textOf(block.id))) {
        return ".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
      }
      return objectOf(block.input) === null ? '.tool_use.input: Input should be a valid dictionary' : null
    case 'tool_result':
      return textOf(block.tool_use_id) === '' ? '.tool_result.tool_use_id: Field required' : null
    default:
      return null
  }
}
