import { printable } from '../../core/checks/printable.ts'
import { displayAmount, type Status } from '../../core/index.ts'
import type { GroupMember, GroupProgress, MeterRow } from '../../runner/index.ts'
import { cutText, firstLine, fitParts } from '../output/fit-text.ts'
import { meterText, wholeSeconds } from '../output/meter-text.ts'
import type { Paint } from '../output/paint.ts'
import { statusText } from '../output/status-text.ts'

/** Shows the progress of a group. */
export interface GroupView {
  show(progress: GroupProgress): void
  /** The warnings that were shown. */
  warned(): readonly string[]
  say(text: string): void
  /** Removes the list. Nothing is drawn afterwards. */
  end(): void
}

export interface GroupViewOptions {
  write(text: string): void
  readonly paint: Paint
  /** Whether it is a terminal, so that the list can be redrawn. */
  readonly isTerminal: boolean
  screen(): { readonly columns: number; readonly rows: number }
  monotonicMs(): number
}

/** One agent, as far as it is known here. */
interface Row {
  readonly member: GroupMember
  status: Status
  doing: string
  meters: readonly MeterRow[]
  startedAtMs: number | null
}

const EVERY_MS = 500
const MOST_ROWS = 12
// The header, and the lines above it.
const KEPT_ROWS = 3
// Of hundreds of agents that one limit refuses, the first few say why, and then the last one.
const MOST_ALIKE = 10

/** Progress as lines: one when an agent ends, and on a terminal a list of the running agents below them. */
export function createGroupView(options: GroupViewOptions): GroupView {
  const { write, paint, isTerminal, monotonicMs } = options
  const startedAtMs = monotonicMs()
  const rows = new Map<string, Row>()
  const warned: string[] = []
  // The agents that never started, by their reason without its figures.
  const neverStarted = new Map<string, { readonly count: number; readonly lastError: string }>()
  let name = ''
  let steps = 1
  let step = ''
  let pool: readonly MeterRow[] = []
  let drawn = 0
  let isOver = false

  const clear = (): string => (drawn === 0 ? '\r\u001b[J' : `\u001b[${drawn}A\r\u001b[J`)
  const draw = (): void => {
    if (!isTerminal || isOver || name === '') return
    const { columns, rows: height } = options.screen()
    const lines = listLines(columns - 1, Math.max(1, Math.min(MOST_ROWS, height - KEPT_ROWS)))
    write(`${clear()}${lines.map((each) => `${each}\n`).join('')}`)
    drawn = lines.length
  }
  const line = (text: string): void => {
    write(`${isTerminal ? clear() : ''}${text}\n`)
    drawn = 0
    draw()
  }
  const timer = isTerminal ? setInterval(draw, EVERY_MS) : null
  timer?.unref()

  function listLines(width: number, most: number): readonly string[] {
    const all = [...rows.values()]
    const count = (...statuses: readonly Status[]): number =>
      all.filter(({ status }) => statuses.includes(status)).length
    const running = all.filter(({ status }) => status === 'running')
    const ended = all.length - running.length - count('queued')
    const states = [
      `${running.length} running`,
      `${ended} done`,
      ...(count('queued') ? [`${count('queued')} queued`] : []),
    ]
    const head = [
      `stint: ${name}`,
      ...(step === '' ? [] : [step]),
      states.join(', '),
      ...pool.map(({ name: written, meter, used, max }) => meterText(written, meter, used, max)),
      displayAmount('time', wholeSeconds(monotonicMs() - startedAtMs)),
    ]
    const shown = running.slice(0, running.length > most ? most - 1 : most)
    const left = running.length - shown.length
    return [
      paint.dim(fitParts(head, ' · ', width)),
      ...shown.map((row) => paint.dim(cutText(rowText(row), width))),
      ...(left === 0 ? [] : [paint.dim(`  … ${left} more`)]),
    ]
  }

  function rowText({ member, doing, meters, startedAtMs: since }: Row): string {
    const { agent, label } = member
    const took = displayAmount('time', wholeSeconds(monotonicMs() - (since ?? monotonicMs())))
    const spent = meters.slice(0, 2).map(({ name: written, meter, used, max }) => meterText(written, meter, used, max))
    return `  ${numberOf(member)} ${printable(agent)} · ${[doing, ...spent, took].filter((part) => part !== '').join(' · ')} · ${oneLine(label)}`
  }

  function numberOf({ number, step: at }: GroupMember): string {
    return steps === 1 ? String(number) : `${at}.${number}`
  }

  function follow(progress: Extract<GroupProgress, { readonly kind: 'member' }>): void {
    const row = rows.get(progress.id)
    if (row === undefined) return
    const { progress: news } = progress
    row.status = 'running'
    row.startedAtMs ??= monotonicMs()
    if (news.kind === 'model-call') row.doing = `model call ${news.number}`
    else if (news.kind === 'tool-call') row.doing = `${printable(news.tool)} ${oneLine(news.summary)}`.slice(0, 40)
    else if (news.kind === 'meters') row.meters = news.rows
    else if (news.kind === 'checking') row.doing = oneLine(news.message).slice(0, 40)
    else if (news.kind === 'asking') ask(`${numberOf(row.member)} ${printable(row.member.agent)}`, news.request)
  }

  /** How many agents never started for this reason, so far. */
  function countUnstarted(error: string): number {
    const reason = error.replace(/[\d.,$]+/g, '')
    const count = (neverStarted.get(reason)?.count ?? 0) + 1
    neverStarted.set(reason, { count, lastError: error })
    return count
  }

  function sayTheRest(): void {
    for (const { count, lastError } of neverStarted.values()) {
      const more = count - MOST_ALIKE
      if (more > 0) line(`  … ${more} more did not start${lastError === '' ? '' : `, at last:${lastError}`}`)
    }
    neverStarted.clear()
  }

  function ask(who: string, request: string): void {
    const answers = printable(`stint approve ${request} (or: stint deny ${request})`)
    line(paint.yellow(`stint: ${who} is waiting for an answer. To answer: ${answers}`))
  }

  function show(progress: GroupProgress): void {
    switch (progress.kind) {
      case 'started': {
        name = printable(progress.path)
        steps = progress.steps
        line(`stint: ${name} ${progress.isResumed ? 'continues' : 'runs'} · ${printable(progress.id)}`)
        break
      }
      case 'step':
        sayTheRest()
        step = steps === 1 ? '' : `step ${progress.step} of ${steps}: ${oneLine(progress.label)}`
        for (const member of progress.members) {
          rows.set(member.id, { member, status: 'queued', doing: '', meters: [], startedAtMs: null })
        }
        if (steps > 1 && !isTerminal) line(`stint: ${step}`)
        break
      case 'member':
        follow(progress)
        break
      case 'ended': {
        const row = rows.get(progress.id)
        if (row === undefined) break
        row.status = progress.status
        const { agent, label } = row.member
        const error = progress.error === null ? '' : ` ${oneLine(progress.error)}`
        if (row.startedAtMs === null && countUnstarted(error) > MOST_ALIKE) break
        const text = `  ${numberOf(row.member)} ${printable(agent)} ${statusText(progress, paint)}${error} · ${oneLine(label)}`
        line(isTerminal ? cutText(text, options.screen().columns - 1) : text)
        break
      }
      case 'pool':
        pool = progress.rows
        break
      case 'asking':
        line(`stint: ${printable(progress.question)}`)
        ask(name, progress.request)
        break
      case 'warning':
        warned.push(progress.message)
        line(paint.yellow(`stint: ${oneLine(progress.message)}`))
        break
    }
  }

  return {
    show,
    warned: () => warned,
    say: (text) => line(`stint: ${text}`),
    end() {
      sayTheRest()
      if (timer !== null) clearInterval(timer)
      if (isTerminal && !isOver && name !== '') write(clear())
      drawn = 0
      isOver = true
    },
  }
}

const LONGEST = 200

function oneLine(text: string): string {
  return firstLine(text, LONGEST)
}
