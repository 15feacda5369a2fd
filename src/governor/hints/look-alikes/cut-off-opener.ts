const OPENERS = ['<tool_call', '<tool_use', '<function_call', '<invoke', '<parameter', '[TOOL_CALLS]', '[TOOL_REQUEST]']
const NAMESPACE = /^<\/?(?:[A-Za-z][\w.-]{0,63}:)?/
const SPECIAL = /^<\/?[|｜][^<>\s]{0,64}$/
const LONGEST_CHARACTERS = 90
const SHORTEST_IN_PROSE = 4

/**
 * Where a text ends in the middle of a tag or marker, after `reached`; the end of the text if it does not. Directly
 * after other markup the first character is enough; in prose it takes some letters.
 */
export function cutOffOpenerStart(text: string, reached: number, isBehindMarkup: boolean): number {
  const start = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['))
  if (start < reached || text.length - start > LONGEST_CHARACTERS) return text.length
  const tail = text.slice(start)
  if (SPECIAL.test(tail)) return start
  const plain = tail.replace(NAMESPACE, '<')
  if (!OPENERS.some((opener) => opener.startsWith(plain))) return text.length
  const isEnough = tail.length >= SHORTEST_IN_PROSE || (isBehindMarkup && text.slice(reached, start).trim() === '')
  return isEnough ? start : text.length
}
