/** How many server-sent events a text has: each ends with an empty line and has data; `[DONE]` is one. */
export function countEvents(text: string): number {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  // What follows the last empty line has not ended.
  return blocks.slice(0, -1).filter((block) => /^data(:|$)/m.test(block)).length
}
