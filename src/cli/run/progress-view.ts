import { printable } from '../../core/checks/printable.ts'
import { displayAmount } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import type { MeterRow, RunProgress } from '../../runner/index.ts'
import { cutText, firstLine, fitParts } from '../output/fit-text.ts'
import { meterText, wholeSeconds } from '../output/meter-text.ts'
import type { Paint } from '../output/paint.ts'
import { statusText } from '../output/status-text.ts'

/** Shows the progress of a run. */
export interface ProgressView {
  show(progress: RunProgress): void
  /** The warnings that were shown. */
  warned(): readonly string[]
  /** Prints a line of our own. */
  say(text: string): void
  /** Removes the status line. Nothing is drawn afterwards. */
  end(): void
}

export interface ProgressViewOptions {
  write(text: string): void
  readonly paint: Paint
  /** Whether it is a terminal, so that the last line can be redrawn. */
  readonly isTerminal: boolean
  columns(): number
  monotonicMs(): number
}

const LONGEST_LINE = 200
const EVERY_MS = 1000
const CLEAR = '\r\u001b[2K'
const END_TEXT = {
  failed: 'failed',
  refused: 'was refused before it ran',
  stopped: 'was stopped before it finished',
} as const

/** Progress as lines: one for each tool call, and on a terminal a status line with the agent's meters below them. */
export function createProgressView(options: ProgressViewOptions): ProgressView {
  const { write, paint, isTerminal, monotonicMs } = options
  const startedAtMs = monotonicMs()
  let agent = ''
  let doing = ''
  let meters: { readonly rows: readonly MeterRow[]; readonly atMs: number } = { rows: [], atMs: startedAtMs }
  // Text before a tool call is progress; the last text is the answer, which goes to standard output.
  let lastText: string | null = null
  let hasExceeded = false
  const warned: string[] = []
  let pausedBy: string | null = null
  const running = new Set<string>()
  let isOver = false

  const statusLine = (): string => {
    const others = running.size === 0 ? '' : countText(running.size, 'subagent')
    const parts = [`stint: ${agent}`, doing, others, ...meterParts(meters.rows, monotonicMs() - meters.atMs)]
    if (!meters.rows.some(({ meter }) => meter === 'time')) {
      parts.push(displayAmount('time', wholeSeconds(monotonicMs() - startedAtMs)))
    }
    return fitParts(
      parts.filter((part) => part !== ''),
      ' · ',
      options.columns() - 1,
    )
  }
  const draw = (): void => {
    if (!isTerminal || isOver || agent === '') return
    write(`${CLEAR}${paint.dim(statusLine())}\r`)
  }
  const line = (text: string): void => {
    write(`${isTerminal ? CLEAR : ''}${text}\n`)
    draw()
  }
  const timer = isTerminal ? setInterval(draw, EVERY_MS) : null
  timer?.unref()

  const showText = (): void => {
    if (lastText !== null) line(paint.dim(`  ${lastText}`))
    lastText = null
  }
  const childLine = (text: string): void => {
    const whole = `    ${text}`.trimEnd()
    line(isTerminal ? cutText(whole, options.columns() - 1) : whole)
  }
  /** Shows what agents below it do; their tool calls would be too much. */
  const showChild = (id: string, name: string, progress: RunProgress): void => {
    const who = printable(name)
    switch (progress.kind) {
      case 'started':
        running.add(id)
        childLine(`${who} ${progress.isResumed ? 'continues' : 'runs'} · ${printable(id)}`)
        break
      case 'tool-call':
        childLine(`${who} ${paint.cyan(printable(progress.tool))} ${oneLine(progress.summary)}`)
        break
      case 'child':
        showChild(progress.id, `${name}/${progress.name}`, progress.progress)
        break
      case 'child-ended':
        show({ ...progress, name: `${name}/${progress.name}` })
        break
      case 'asking':
        show(progress)
        break
      case 'nearing':
      case 'exceeded':
      case 'warning':
        childLine(paint.yellow(`${who}: ${oneLine(progress.message)}`))
        break
    }
  }
  const show = (progress: RunProgress): void => {
    switch (progress.kind) {
      case 'started': {
        agent = printable(progress.agent)
        const { path, id, model, isResumed } = progress
        line(
          `stint: ${printable(path)} ${isResumed ? 'continues' : 'runs'} with ${printable(model)} · ${printable(id)}`,
        )
        break
      }
      case 'model-call':
        doing = `model call ${progress.number}`
        draw()
        break
      case 'tool-call':
        showText()
        doing = progress.tool
        line(`  ${paint.cyan(printable(progress.tool))} ${oneLine(progress.summary)}`.trimEnd())
        break
      case 'tool-result':
        if (progress.end !== 'done') line(`  ${paint.yellow(`${printable(progress.tool)} ${END_TEXT[progress.end]}`)}`)
        break
      case 'text':
        lastText = oneLine(progress.text) || null
        break
      case 'meters':
        meters = { rows: progress.rows, atMs: monotonicMs() }
        draw()
        break
      case 'paused':
        // A limit was already shown, and the summary has the rest.
        pausedBy = `Paused: ${progress.message}`
        if (!hasExceeded) line(paint.yellow(`stint: ${whole(pausedBy)}`))
        break
      case 'exceeded':
        hasExceeded = true
        line(paint.yellow(`stint: Limit reached: ${whole(progress.message)}`))
        break
      case 'nearing':
        line(paint.yellow(`stint: Near a limit: ${whole(progress.message)}`))
        break
      case 'asking': {
        const { request, message } = progress
        const answers = printable(`stint approve ${request} (or: stint deny ${request})`)
        line(
          paint.yellow(
            `stint: It is waiting for an answer to its request for ${whole(message)}. To answer: ${answers}`,
          ),
        )
        break
      }
      case 'checking':
        showText()
        line(`  ${paint.cyan('check')} ${oneLine(progress.message)}`)
        break
      case 'answered':
        line(paint.yellow(`stint: ${whole(progress.message)}`))
        break
      case 'child':
        showChild(progress.id, progress.name, progress.progress)
        break
      case 'child-ended': {
        running.delete(progress.id)
        const error = progress.error === null ? '' : ` ${oneLine(progress.error)}`
        childLine(`${printable(progress.name)} ${statusText(progress, paint)}${error}`)
        break
      }
      case 'warning':
        warned.push(progress.message)
        // The result has the pause as a warning, which was shown when it began.
        if (progress.message !== pausedBy) line(paint.yellow(`stint: ${whole(progress.message)}`))
        break
    }
  }
  return {
    show,
    warned: () => warned,
    say: (text) => line(`stint: ${text}`),
    end() {
      if (timer !== null) clearInterval(timer)
      if (isTerminal && !isOver && agent !== '') write(CLEAR)
      isOver = true
    },
  }
}

/** Clocks keep running between two readings. */
function meterParts(rows: readonly MeterRow[], sinceMs: number): readonly string[] {
  return rows.map(({ meter, name, used, max }) => {
    const isClock = meter === 'time' || meter === 'wallTime'
    return meterText(name, meter, isClock ? used + wholeSeconds(sinceMs) : used, max)
  })
}

function oneLine(text: string): string {
  return firstLine(text, LONGEST_LINE)
}

function whole(text: string): string {
  return firstLine(text, Number.POSITIVE_INFINITY)
}
