/** Where the JSON object or list that begins at `start` ends; the end of the text if it is cut off. */
export function jsonExtent(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let position = start; position < text.length; position++) {
    const character = text[position]
    if (isInString) {
      if (character === '\\') position++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return position + 1
    }
  }
  return text.length
}
