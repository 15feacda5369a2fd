import { printable } from '../../core/checks/printable.ts'
import { displayAmount, formatUsd } from '../../core/index.ts'
import type { MeterUsage, Scope } from '../../governor/index.ts'
import { countText } from '../../operate/count-text.ts'
import type { RunProgress, RunResult } from '../../runner/index.ts'
import { limitsFromFlags } from '../flags/limits-from-flags.ts'
import { statusText } from '../output/status-text.ts'
import type { DemoScreen } from './demo-screen.ts'
import { partReader } from './demo-scripts.ts'
import type { DemoStage } from './demo-stage.ts'
import { meterBar } from './meter-bar.ts'

const POOL = 'team:demo'
const POOL_COST = '1.50'
// How many pages each agent reads: together they need more than the pool has.
const PARTS = [3, 4, 5, 6, 12, 13, 14, 15] as const
const REDRAW_MS = 100

export interface FanOut {
  readonly results: readonly RunResult[]
  readonly pool: MeterUsage
}

/** Eight agents at once that share one pool. */
export async function playFanOut(
  stage: DemoStage,
  screen: DemoScreen,
  { delayMs, signal }: { readonly delayMs: number; readonly signal: AbortSignal },
): Promise<FanOut> {
  const { paint, say } = screen
  say(paint.bold('2  Eight agents, one pool'))
  say(`   ${paint.dim(`stint budget set ${POOL} --limit cost=${POOL_COST}`)}`)
  say(`   ${paint.dim(`stint run … --within ${POOL}`)}`)
  const pool = await stage.governor.budget(POOL, { limits: limitsFromFlags([`cost=${POOL_COST}`]) })
  const view = createFanOutView(screen, pool)
  const { runner, agent, workingFolder } = stage
  const results = await Promise.all(
    PARTS.map(async (pages, index) => {
      const name = `reader-${index + 1}`
      const first = 1 + PARTS.slice(0, index).reduce((sum, before) => sum + before, 0)
      const part = { first, last: first + pages - 1 }
      const request = {
        agent,
        name,
        task: `Read pages ${part.first} to ${part.last} of the handbook and say what is in them.`,
        workingFolder,
        model: stage.offer(partReader(part, delayMs * (1 + (index % 3) / 4))),
        within: pool,
      }
      const row = view.add(name, pages)
      const result = await runner.run(request, { signal, onProgress: row.show })
      row.end(result)
      return result
    }),
  ).finally(view.end)
  const { cost } = await pool.usage()
  showOutcome(screen, results, cost, signal.aborted)
  return { results, pool: cost }
}

function showOutcome(
  { paint, say, tell }: DemoScreen,
  results: readonly RunResult[],
  cost: MeterUsage,
  isInterrupted: boolean,
): void {
  const countOf = (wanted: RunResult['status']): number => results.filter(({ status }) => status === wanted).length
  const cut = results.find(({ status, partialOutput }) => status === 'limit-reached' && partialOutput !== null)
  const byPool = countOf('limit-reached')
  const parts = [
    `${countText(countOf('completed'), 'agent')} finished`,
    ...(byPool === 0 ? [] : [`${byPool} ${byPool === 1 ? 'was' : 'were'} stopped by the pool`]),
    ...(isInterrupted ? [`${countOf('stopped')} were stopped by you`] : []),
  ]
  const handed = cut === undefined ? '.' : '. What one of them returned:'
  tell('   ', `${parts.join(', ')}${handed}`)
  if (cut !== undefined) tell(`   ${paint.dim('│')} `, printable(cut.partialOutput!))
  const assumed = cost.assumed === 0 ? '' : ` (${usd(cost.assumed)} of it assumed for calls that were cut off)`
  say(`   Spent ${usd(cost.settled)} of ${usd(cost.limit ?? 0)}${assumed}, ${formatUsd(cost.overrun)} over.`)
  say()
}

function usd(nanoUsd: number): string {
  return displayAmount('cost', nanoUsd)
}

interface Row {
  readonly name: string
  readonly pages: number
  read: number
  costNanoUsd: number
  result: RunResult | null
}

function createFanOutView({ paint, isLive, say, draw, keep }: DemoScreen, pool: Scope) {
  const rows: Row[] = []
  let poolLine = ''
  const redraw = (): void => draw([...rows.map((row) => rowText(row)), poolLine])
  const rowText = ({ name, pages, read, costNanoUsd, result }: Row): string => {
    const became = result === null ? paint.dim('running') : statusText({ status: result.status }, paint)
    const bar = meterBar(read, pages, pages).padEnd(Math.max(...PARTS))
    return `   ${name.padEnd(9)} ${bar} ${`${read} of ${pages}`.padStart(8)} pages  ${usd(costNanoUsd).padEnd(7)} ${became}`
  }
  const readPool = async (): Promise<void> => {
    const { settled, reserved, held, limit } = (await pool.usage()).cost
    const max = limit ?? 0
    const spoken = reserved + held > 0 ? paint.dim(`, ${usd(reserved + held)} set aside`) : ''
    poolLine = `   ${paint.bold('the pool')}  ${meterBar(settled, max, 25)} ${usd(settled)} of ${usd(max)}${spoken}`
  }
  // One read at a time, and only while it is shown.
  let isOver = !isLive
  const follow = async (): Promise<void> => {
    for (; !isOver; await new Promise((resolve) => setTimeout(resolve, REDRAW_MS))) {
      await readPool()
      if (!isOver) redraw()
    }
  }
  const following = follow().catch(() => {})
  return {
    add(name: string, pages: number) {
      const row: Row = { name, pages, read: 0, costNanoUsd: 0, result: null }
      rows.push(row)
      return {
        show(progress: RunProgress): void {
          if (progress.kind === 'tool-result' && progress.end === 'done') row.read++
          if (progress.kind !== 'meters') return
          row.costNanoUsd = progress.rows.find(({ meter }) => meter === 'cost')?.used ?? row.costNanoUsd
        },
        end(result: RunResult): void {
          row.result = result
          row.costNanoUsd = result.usage.cost.settled
          if (!isLive) say(rowText(row))
        },
      }
    },
    async end(): Promise<void> {
      isOver = true
      await following
      await readPool()
      if (isLive) redraw()
      else say(poolLine)
      keep()
    },
  }
}
