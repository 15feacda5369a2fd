import type { AnswerRelay, RelayOptions } from '../../dialect.ts'
import { objectFrom } from '../request/json-value.ts'
import type { FollowedAnswer, MutableJson, Verdict } from './followed-answer.ts'

const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
const NOTHING = Buffer.alloc(0)

/** Passes a whole JSON answer to `answer`. Its bytes are delayed only if something might be removed from it. */
export function followWhole(
  answer: FollowedAnswer,
  { admitToolCall, isClosing }: Pick<RelayOptions, 'admitToolCall' | 'isClosing'>,
  largestBytes = LARGEST_ANSWER_BYTES,
): AnswerRelay {
  const mayCut = admitToolCall !== null || isClosing
  let pieces: Buffer[] = []
  let size = 0
  const write = (bytes: Buffer, said: MutableJson, verdict: Verdict): Buffer => {
    answer.markDone()
    return verdict === 'same' ? bytes : Buffer.from(JSON.stringify(said))
  }
  return {
    push(bytes) {
      size += bytes.length
      if (size <= largestBytes) pieces.push(bytes)
      else pieces = []
      return mayCut ? NOTHING : bytes
    },
    end() {
      // Too large to read: it may contain one call too many. An error would be free.
      if (size > largestBytes) return NOTHING
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
      pieces = []
      const said = parsed(bytes)
      if (said === null) return mayCut && !looksLikeAnswer(bytes) ? bytes : NOTHING
      const verdict = answer.follow(said)
      if (!mayCut) {
        answer.markDone()
        return NOTHING
      }
      return typeof verdict === 'string'
        ? write(bytes, said, verdict)
        : verdict.then((late) => write(bytes, said, late))
    },
    reading: answer.reading,
  }
}

const ANSWER_START = /^[\s\ufeff]*(?:[{[:]|data:|event:)/
const LONGEST_START = 256

/** JSON that we cannot read, or a mislabeled stream: a client that can read it may find one call too many in it. */
function looksLikeAnswer(bytes: Buffer): boolean {
  return ANSWER_START.test(bytes.toString('utf8', 0, LONGEST_START))
}

// Like clients, which skip a byte order mark.
const decoder = new TextDecoder()

function parsed(bytes: Buffer): MutableJson | null {
  try {
    return objectFrom(JSON.parse(decoder.decode(bytes))) as MutableJson | null
  } catch {
    return null
  }
}
