import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'

/** The text of a content, which is a string or a list of blocks, as the model will read it. */
export function blocksText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsFrom(content)
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n')
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return textFrom(block.text)
    case 'thinking':
      return textFrom(block.thinking)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return `${textFrom(block.name)} ${JSON.stringify(block.input ?? {})}`
    case 'tool_result':
    case 'mcp_tool_result':
      return blocksText(block.content)
    case 'image':
    case 'container_upload':
      return ''
    case 'document':
      return documentText(block)
    default:
      // An unknown kind of block counts with all of its JSON.
      return JSON.stringify(block)
  }
}

function documentText({ title, context, source }: JsonObject): string {
  const { type, data, content } = objectFrom(source) ?? {}
  const text = type === 'text' ? textFrom(data) : type === 'content' ? blocksText(content) : ''
  return [textFrom(title), textFrom(context), text].filter((part) => part !== '').join('\n')
}
