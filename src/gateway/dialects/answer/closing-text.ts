import { stripToolMarkup } from '../../../governor/index.ts'
import { undecidedStart } from './undecided-start.ts'

/** The text of a closing answer that comes in pieces: what may be tool-call markup is held back, the rest goes on. */
export interface ClosingText {
  /** What goes on to the client now. */
  push(delta: string): string
  /** What is left at the end, without markup. */
  end(): string
}

// Stands for what was sent already: so that a paragraph behind markup keeps its distance from it.
const SENT = '.'
const MOST_HELD_CHARACTERS = 1_000_000

/** `stripToolMarkup` for a stream. From the first markup on everything waits for the end. */
export function createClosingText(): ClosingText {
  let held = ''
  let hasSent = false
  let isMarkup = false
  const strip = (text: string) => (hasSent ? stripToolMarkup(SENT + text).slice(SENT.length) : stripToolMarkup(text))
  return {
    push(delta) {
      if (held.length < MOST_HELD_CHARACTERS) held += delta
      if (isMarkup) return ''
      const found = undecidedStart(held, hasSent, (segment) => strip(segment) !== segment)
      isMarkup = found.isMarkup
      // White space waits with what follows it: in front of markup it is too much.
      const sent = held.slice(0, found.start).trimEnd()
      held = held.slice(sent.length)
      hasSent ||= sent !== ''
      return sent
    },
    end() {
      const rest = strip(held)
      held = ''
      hasSent ||= rest !== ''
      isMarkup = false
      return rest
    },
  }
}
