import { createHash } from 'node:crypto'
import { isPlainObject } from '../../core/index.ts'
import { keyWord } from '../groups/child-id.ts'

// A group's id has at most 64 characters, and its children's ids extend it.
const LONGEST_CHILD = 56
const LONGEST_WORD = 19
// The ids of reviews.
const REVIEW = /^review-/u

/**
 * The id of what a tool call starts: always the same for that call, so that a parent whose process died finds its
 * children again. `times`: how often a call with this id came before.
 */
export function childOfCall(parent: string, toolCallId: string, times: number): string {
  const key = times === 0 ? toolCallId : `${toolCallId}#${times}`
  const word = keyWord(key)
  const short = word.length <= LONGEST_WORD && !REVIEW.test(word) ? word : digest(key, 12)
  const id = `${parent}.${short}`
  return id.length <= LONGEST_CHILD ? id : `${parent.slice(0, 8)}.${digest(id, 24)}`
}

/** How often a call with this id occurs in a conversation: some models use the same ids in every turn. */
export function timesCalled(messages: readonly unknown[], toolCallId: string): number {
  let times = 0
  for (const message of messages) {
    if (!isPlainObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) continue
    for (const part of message.content) if (part?.type === 'tool-call' && part.toolCallId === toolCallId) times++
  }
  return times
}

function digest(text: string, characters: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, characters)
}
