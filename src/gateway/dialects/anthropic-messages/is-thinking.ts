/** Whether a block is no part of the answer proper: no message may end with such a block. */
export function isThinking(type: unknown): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}
