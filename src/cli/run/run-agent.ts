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
 * Runs an agent in the foreground: progress on stderr, the answer on stdout. The first INT or TERM ends it gracefully,
 * the second ends this process immediately.
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
    view.say('Stopping, and printing what it has so far. Press ^C again to end immediately.')
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

/** Processes started by the run's tools must not outlive it. */
function endAtOnce(platform: Platform, view: ProgressView, id: string): void {
  view.end()
  for (const pid of leftProcesses([id])) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  platform.writeError(`stint: Ended immediately. Its output is in the transcript: stint show ${id}\n`)
  platform.endNow(INTERRUPTED)
}
