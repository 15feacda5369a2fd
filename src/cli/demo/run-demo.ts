import { countText } from '../../operate/count-text.ts'
import type { RunResult } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { createDemoScreen, type DemoScreen } from './demo-screen.ts'
import { type DemoStage, openDemoStage } from './demo-stage.ts'
import { type FanOut, playFanOut } from './play-fan-out.ts'
import { playLoop } from './play-loop.ts'

export interface DemoFlags {
  readonly fast?: boolean
  readonly keep?: boolean
  readonly json?: boolean
}

// How long a scripted model takes to answer.
const DELAY_MS = 350
const INTERRUPTED = 130

/** Plays both scenes on the real runner, governor and ledger, in a temporary folder. */
export async function runDemo(context: CommandContext, { fast, keep, json }: DemoFlags): Promise<Report> {
  const { platform } = context
  const screen = createDemoScreen(context, json === true)
  const controller = new AbortController()
  const callOff = platform.onStop(() => controller.abort(new Error('interrupted')))
  const stage = await openDemoStage(platform)
  const interrupted: Report = { json: { interrupted: true }, text: null, exitCode: INTERRUPTED }
  let isOpen = true
  try {
    introduce(screen)
    const options = { delayMs: fast === true ? 0 : DELAY_MS, signal: controller.signal }
    const loop = await playLoop(stage, screen, options)
    if (controller.signal.aborted) return interrupted
    const fanOut = await playFanOut(stage, screen, options)
    if (controller.signal.aborted) return interrupted
    await stage.close()
    isOpen = false
    const { ok, entries } = await platform.ledgerFiles.verify({ kind: 'sqlite', file: stage.ledgerFile })
    conclude(screen, stage, { loop, fanOut, ok, entries, isKept: keep === true })
    return {
      json: {
        loop: runJson(loop),
        fanOut: { runs: fanOut.results.map(runJson), pool: fanOut.pool },
        ledger: { ok, entries, file: keep === true ? stage.ledgerFile : null },
      },
      text: null,
      exitCode: ok && haveHeld(loop, fanOut) ? 0 : 1,
    }
  } finally {
    screen.keep()
    if (isOpen) await stage.close().catch(() => {})
    if (keep !== true) stage.remove()
    callOff()
  }
}

function introduce({ paint, say, tell }: DemoScreen): void {
  say(paint.bold('stint demo'))
  tell('', 'The model is a script: no key, no network. Runner, limits and ledger are real.', paint.dim)
  say()
}

/** Whether the limits did what the demo says they do. */
function haveHeld({ status, usage: { toolCalls } }: RunResult, { pool }: FanOut): boolean {
  return status === 'limit-reached' && toolCalls.settled === toolCalls.limit && pool.settled <= (pool.limit ?? 0)
}

interface Ending {
  readonly loop: RunResult
  readonly fanOut: FanOut
  readonly ok: boolean
  readonly entries: number
  readonly isKept: boolean
}

function conclude({ paint, say }: DemoScreen, stage: DemoStage, ending: Ending): void {
  const { fanOut, ok, entries, isKept } = ending
  const runs = 1 + fanOut.results.length
  const proof = ok ? paint.green('it adds up') : paint.red('it does not add up')
  say(paint.bold('What the ledger says'))
  say(`   ${countText(runs, 'run')} and a pool, a journal of ${countText(entries, 'entry', 'entries')}: ${proof}.`)
  if (isKept) say(`   Look at it: STINT_HOME=${stage.homeFolder} npx stint status --all`)
  say()
  say(paint.bold('Try next'))
  say('   npx stint run explore "what does this project do?" --limit turns=10')
  say('   npx stint exec --limit cost=1 --limit time=10m -- claude -p "fix the tests"')
  say(isKept ? '   npx stint --help' : '   npx stint demo --keep')
}

function runJson({ path, status, output, partialOutput, breach, usage, durationMs }: RunResult) {
  return { path, status, output, partialOutput, breach, usage, durationMs }
}
