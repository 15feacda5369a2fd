import { stripToolMarkup } from '../../../../governor/index.ts'
import { undecidedStart } from './undecided-start.ts'

/** The streamed text of a closing answer: possible tool-call markup is held back, the rest is passed on. */
export interface ClosingText {
  /** What is passed on to the client now. */
  push(delta: string): string
  /** What is left at the end, without markup. */
  end(): string
}

// Represents what was already sent, so that a paragraph after markup keeps its distance.
const SENT = '.'
const MOST_HELD_CHARACTERS = 1_000_000

/** `stripToolMarkup` for a stream. From the first markup on, everything waits for the end. */
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
      // White space waits for what follows it: before markup it is dropped.
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
