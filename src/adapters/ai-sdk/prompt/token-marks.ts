/** How many messages of a conversation were counted, what they took, and the answer to them. */
interface TokenMark {
  readonly messages: number
  readonly promptTokens: number
  readonly answerTokens: number
  /** The digest of the answer, as the next prompt would have it. */
  readonly answer: string
}

/** Where conversations stood when the provider last counted them. */
export interface TokenMarks {
  /** `digest` stands for the first `messages` of a prompt. */
  remember(digest: string, mark: TokenMark): void
  /** The longest beginning of a prompt that was counted; `digestAt` gives that of its first so many messages. */
  longest(digestAt: ReadonlyMap<number, string>): TokenMark | null
  /** The lengths at which there is something to compare. */
  lengths(): ReadonlySet<number>
}

// A scope's loop has one conversation, and now and then a side request.
const MOST_MARKS = 16

/** Keeps the latest few. */
export function createTokenMarks(): TokenMarks {
  const marks = new Map<string, TokenMark>()
  return {
    remember(digest, mark) {
      marks.delete(digest)
      marks.set(digest, mark)
      if (marks.size > MOST_MARKS) marks.delete(marks.keys().next().value!)
    },
    longest(digestAt) {
      const found = [...digestAt.values()].flatMap((digest) => marks.get(digest) ?? [])
      return found.reduce<TokenMark | null>(
        (longest, mark) => (longest === null || mark.messages > longest.messages ? mark : longest),
        null,
      )
    },
    lengths: () => new Set([...marks.values()].map(({ messages }) => messages)),
  }
}
