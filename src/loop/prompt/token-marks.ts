import { createAgingMap } from '../../core/index.ts'

/** How many parts of a prompt are known, and what they and their answer took. */
export interface TokenMark {
  readonly parts: number
  readonly promptTokens: number
  readonly answerTokens: number
  /** The text of the answer, to recognize it in the next prompt. Left out if it is too long to keep. */
  readonly answerText?: string
  /** The estimate of the prompt from its text alone; `null` if there is none. */
  readonly estimatedTokens?: number | null
}

/** The sizes of conversations when the provider last counted them. */
export interface TokenMarks {
  /** `digest` identifies the first `parts` of a prompt. */
  remember(digest: string, mark: TokenMark): void
  /** Each with the digest of its prompt. */
  all(): Iterable<readonly [digest: string, mark: TokenMark]>
  /** What a conversation took up to an answer, if the provider stores it. */
  rememberAnswer(answerId: string, tokens: number): void
  answer(answerId: string): number | null
  /** Oldest first. */
  allAnswers(): Iterable<readonly [answerId: string, tokens: number]>
}

// One conversation, and an occasional side request.
const MOST_MARKS = 32
const MOST_ANSWERS = 1_000

/** Keeps the latest few. */
export function createTokenMarks(): TokenMarks {
  const marks = new Map<string, TokenMark>()
  const answers = createAgingMap<number>(MOST_ANSWERS)
  return {
    remember(digest, mark) {
      marks.delete(digest)
      marks.set(digest, mark)
      if (marks.size > MOST_MARKS) marks.delete(marks.keys().next().value!)
    },
    rememberAnswer: (answerId, tokens) => answers.set(answerId, tokens),
    answer: (answerId) => answers.get(answerId) ?? null,
    allAnswers: answers.entries,
    all: () => marks,
  }
}
