import type { AnswerReading, AnswerRelay } from '../dialects/dialect.ts'

const NOTHING = Buffer.alloc(0)

const NOTHING_READ: AnswerReading = {
  usage: null,
  partialUsage: null,
  toolCalls: { passed: 0, cut: 0 },
  providerToolCalls: 0,
  webSearches: 0,
  text: '',
  isComplete: true,
  isCutByCap: false,
  hasError: false,
}

/** An answer that is passed on as it arrives, without reading it. */
export const UNREAD_ANSWER: AnswerRelay = { push: (bytes) => bytes, end: () => NOTHING, reading: () => NOTHING_READ }
