import { printable } from '../../core/checks/printable.ts'
import type { MeterRow, RunProgress, RunResult } from '../../runner/index.ts'
import { limitsFromFlags } from '../flags/limits-from-flags.ts'
import { meterText } from '../output/meter-text.ts'
import { statusText } from '../output/status-text.ts'
import type { DemoScreen } from './demo-screen.ts'
import { loopingReader } from './demo-scripts.ts'
import type { DemoStage } from './demo-stage.ts'
import { meterBar } from './meter-bar.ts'

const TURNS = 5

/** One agent that would read forever, under `--limit turns=5`. */
export async function playLoop(
  stage: DemoStage,
  screen: DemoScreen,
  { delayMs, signal }: { readonly delayMs: number; readonly signal: AbortSignal },
): Promise<RunResult> {
  const { paint, say, tell } = screen
  say(`${paint.bold('1  An agent that never stops')}   ${paint.dim(`stint run reader "…" --limit turns=${TURNS}`)}`)
  const view = createLoopView(screen)
  const { runner, agent, workingFolder } = stage
  const result = await runner.run(
    {
      agent,
      task: 'Read the handbook and say what is in it.',
      workingFolder,
      model: stage.offer(loopingReader(delayMs)),
      layers: [limitsFromFlags([`turns=${TURNS}`])],
    },
    { signal, onProgress: view.show },
  )
  view.end()
  const calls = result.usage.toolCalls.settled
  const answer = result.partialOutput ?? result.output
  say(
    `   ${statusText({ status: result.status }, paint)} after ${calls} of ${TURNS} tool calls${answer === null ? '.' : '; it returned what it had:'}`,
  )
  if (answer !== null) tell(`   ${paint.dim('│')} `, printable(answer))
  say()
  return result
}

function createLoopView({ paint, isLive, say, draw, keep }: DemoScreen) {
  const lines: string[] = []
  let rows: readonly MeterRow[] = []
  const redraw = (): void => draw([...lines, `   ${meters(rows)}`])
  const show = (progress: RunProgress): void => {
    switch (progress.kind) {
      case 'tool-call':
        lines.push(`   ${paint.cyan(progress.tool)} ${printable(progress.summary)}`)
        break
      case 'tool-result': {
        const line = lines.pop() ?? ''
        lines.push(progress.end === 'refused' ? `${line}  ${paint.red('refused before it ran')}` : line)
        if (!isLive) say(lines.at(-1))
        break
      }
      case 'meters':
        rows = progress.rows
        break
      default:
        return
    }
    redraw()
  }
  return {
    show,
    end(): void {
      if (!isLive) say(`   ${meters(rows)}`)
      keep()
    },
  }
}

function meters(rows: readonly MeterRow[]): string {
  return rows
    .filter(({ meter }) => meter !== 'time')
    .map(
      ({ meter, name, used, max }) =>
        `${meterBar(used, max, meter === 'toolCalls' ? max : 10)} ${meterText(name, meter, used, max)}`,
    )
    .join('   ')
}
