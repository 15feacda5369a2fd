import { createAgingMap } from '../../core/index.ts'

/** How many parts of a prompt are known, and what they and the answer to them took. */
export interface TokenMark {
  readonly parts: number
  readonly promptTokens: number
  readonly answerTokens: number
  /** What the answer said, by which it is known again in the next prompt. Left out where it is too long to be kept. */
  readonly answerText?: string
  /** What the prompt was estimated at from nothing but its text; `null` where it was not. */
  readonly estimatedTokens?: number | null
}

/** Where conversations stood when the provider last counted them. */
export interface TokenMarks {
  /** `digest` stands for the first `parts` of a prompt. */
  remember(digest: string, mark: TokenMark): void
  find(digest: string): TokenMark | null
  /** What a conversation took up to an answer, where the provider keeps it. */
  rememberAnswer(answerId: string, tokens: number): void
  answer(answerId: string): number | null
  /** The lengths at which there is something to compare. */
  lengths(): ReadonlySet<number>
}

// One conversation, and now and then a side request.
const MOST_MARKS = 32
const MOST_ANSWERS = 1_000

/** Keeps the latest few. */
export function createTokenMarks(): TokenMarks {
  const marks = new Map<string, TokenMark>()
  const answers = createAgingMap<number>(MOST_ANSWERS)
  let lengths: ReadonlySet<number> = new Set()
  return {
    remember(digest, mark) {
      marks.delete(digest)
      marks.set(digest, mark)
      if (marks.size > MOST_MARKS) marks.delete(marks.keys().next().value!)
      if (!lengths.has(mark.parts) || marks.size === MOST_MARKS)
        lengths = new Set(Array.from(marks.values(), ({ parts }) => parts))
    },
    rememberAnswer: (answerId, tokens) => answers.set(answerId, tokens),
    answer: (answerId) => answers.get(answerId) ?? null,
    find: (digest) => marks.get(digest) ?? null,
    lengths: () => lengths,
  }
}
