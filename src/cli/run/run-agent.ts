import type { RunOptions, RunResult } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { leftProcesses } from '../exec/left-processes.ts'
import { answerText } from '../output/answer-text.ts'
import type { Report } from '../output/report.ts'
import type { Platform } from '../platform.ts'
import { createProgressView, type ProgressView } from './progress-view.ts'
import { exitCodeOfRun, runSummary } from './run-summary.ts'

const INTERRUPTED = 130

/**
 * Runs an agent in the foreground: its progress on stderr, its answer on stdout. The first INT or TERM calls it off
 * softly, the second ends this process at once.
 */
export async function runAgent(
  context: CommandContext,
  id: string,
  start: (options: RunOptions) => Promise<RunResult>,
): Promise<Report> {
  const { platform } = context
  platform.outliveOutput()
  const { errorPaint: paint } = context
  const view = createProgressView({
    write: platform.writeError,
    paint,
    isTerminal: platform.terminals.error,
    columns: () => platform.screen().columns,
    monotonicMs: () => performance.now(),
  })
  const controller = new AbortController()
  const callOff = platform.onStop(() => {
    if (controller.signal.aborted) return endAtOnce(platform, view, id)
    view.say('Stopping. What it has so far is handed back; press ^C again to end at once.')
    controller.abort(new Error('interrupted'))
  })
  try {
    const result = await start({ signal: controller.signal, onProgress: view.show })
    view.end()
    platform.writeError(`${runSummary({ ...result, warnings: notYetShown(result, view) }, paint)}\n`)
    const exitCode = exitCodeOfRun(result)
    const answer = result.output ?? result.partialOutput
    const text = answer === null ? null : answerText(answer, platform.terminals.output)
    return { json: { ...result, exitCode }, text, exitCode }
  } finally {
    view.end()
    callOff()
  }
}

function notYetShown({ warnings }: RunResult, view: ProgressView): readonly string[] {
  return warnings.filter((warning) => !view.warned().includes(warning))
}

/** What the tools of the run have started must not go on without it. */
function endAtOnce(platform: Platform, view: ProgressView, id: string): void {
  view.end()
  for (const pid of leftProcesses([id])) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  platform.writeError(`stint: Ended at once. What it had is in its transcript: stint show ${id}\n`)
  platform.endNow(INTERRUPTED)
}
