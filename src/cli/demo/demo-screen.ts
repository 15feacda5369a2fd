import type { CommandContext } from '../command-context.ts'
import type { Paint } from '../output/paint.ts'
import { textWidth } from '../output/text-width.ts'
import { wrapText } from '../output/wrap-text.ts'

/** Where the demo is shown. */
export interface DemoScreen {
  readonly paint: Paint
  /** Whether lines can be redrawn: if not, only finished things get a line. */
  readonly isLive: boolean
  /** A line that stays. */
  say(line?: string): void
  /** A text that stays, on as many lines as it needs, each with the same prefix. */
  tell(before: string, text: string, paint?: (line: string) => string): void
  /** Lines that the next ones replace, until `keep`. Does nothing if lines cannot be redrawn. */
  draw(lines: readonly string[]): void
  /** Keeps the last lines. */
  keep(): void
}

const CURSOR = { hide: '\u001b[?25l', show: '\u001b[?25h' } as const
// The terminal cuts lines that are too long, so each takes one row.
const WRAP = { off: '\u001b[?7l', on: '\u001b[?7h' } as const
const CLEAR_BELOW = '\u001b[0J'
const FEWEST_ROWS = 14
const WIDEST = 100

/** Redraws on a terminal, and prints line by line elsewhere. With `--json` it goes to stderr. */
export function createDemoScreen({ platform, paint, errorPaint }: CommandContext, isJson: boolean): DemoScreen {
  const write = isJson ? platform.writeError : platform.writeOut
  const isTerminal = isJson ? platform.terminals.error : platform.terminals.output
  const isLive = isTerminal && platform.env.TERM !== 'dumb' && platform.screen().rows >= FEWEST_ROWS
  let drawn = 0
  return {
    paint: isJson ? errorPaint : paint,
    isLive,
    say: (line = '') => write(`${line}\n`),
    tell(before, text, dye = (line) => line) {
      const columns = isTerminal ? platform.screen().columns : WIDEST
      for (const line of wrapText(text, columns - textWidth(before))) write(`${before}${dye(line)}\n`)
    },
    draw(lines) {
      if (!isLive) return
      const up = drawn === 0 ? CURSOR.hide : `\u001b[${drawn}A`
      write(`${up}\r${CLEAR_BELOW}${WRAP.off}${lines.join('\n')}\n${WRAP.on}`)
      drawn = lines.length
    },
    keep() {
      if (drawn > 0) write(CURSOR.show)
      drawn = 0
    },
  }
}
