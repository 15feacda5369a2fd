import { printable } from '../../core/checks/printable.ts'
import type { Breach, Meter } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { assumedText, meterText } from '../output/meter-text.ts'
import type { Paint } from '../output/paint.ts'
import { resumeHint } from '../output/resume-hint.ts'
import { statusText } from '../output/status-text.ts'
import { callLine } from './call-line.ts'
import { breachesOf, type ExecResult, spentMeters, type Usage } from './exec-report.ts'

const SHOWN: readonly Meter[] = ['toolCalls', 'modelCalls', 'tokens', 'cost', 'time']
const MOST_PIDS = 10

/** The summary of a finished command: how it ended, at which limit, and what it used. */
export function execSummary(result: ExecResult, paint: Paint): string {
  const { run, command, outcome, supervised, usage } = result
  const { state, end } = supervised
  const head = `stint: ${printable(run.path)} ${statusText({ status: outcome.status }, paint)} · ${standingParts(usage).join(', ')}`
  const lines = [
    head,
    // A command that never ran made no calls, so that is not worth reporting.
    end.error === null ? callLine(result, paint) : '',
    ...(end.error === null ? [] : [`  ${startFault(command[0] ?? '', end.error)}`]),
    ...(supervised.cause === 'lost' ? ['  The enclosing stint is gone, and so is its gateway.'] : []),
    ...breachesOf(result).map((breach) => `  ${cutText(breach, state)}${printable(breach.message)}`),
    ...reasonLine(result),
    ...assumedLine(usage),
    ...(state.isHalted && state.closing === 'answered' ? [WRAPPED_UP] : []),
    ...(outcome.status === 'paused' ? [`  To continue: ${resumeHint(run.id, state.breaches?.[0] ?? null)}`] : []),
    ...leftLine(result),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Precedes the message of a limit that admitted every request but cut the last answer. */
function cutText({ source }: Breach, { breaches }: ExecResult['supervised']['state']): string {
  return breaches === null ? `The last answer was cut off by the ${printable(source.written)} limit: ` : ''
}

/** Why it was paused or failed, if not because of a limit. */
function reasonLine({ outcome, supervised }: ExecResult): readonly string[] {
  const { breaches, reason, status } = supervised.state
  const isOurs = outcome.status === 'paused' || (outcome.status === 'failed' && status === 'failed')
  return breaches !== null || reason === null || !isOurs ? [] : [`  ${printable(reason)}`]
}

/** How to correct what is only assumed. */
export function assumedLine({ modelCalls }: Usage): readonly string[] {
  const { assumed } = modelCalls
  if (assumed === 0) return []
  const what =
    assumed === 1
      ? 'The usage of 1 call is unknown: it was cut off'
      : `The usage of ${assumed} calls is unknown: they were cut off`
  return [`  ${what}. To correct it: stint assumed list`]
}

const WRAPPED_UP = '  Its last answer was the closing one, without tools. It may have ended there anyway.'

/** The limited meters, and those that are always of interest: `turns 5 of 25`, `cost $0.03`. */
export function standingParts(usage: Usage): readonly string[] {
  return spentMeters().flatMap((meter) => {
    const { settled, limit, written, assumed, refused } = usage[meter]
    if (limit === null && ((settled === 0 && refused === 0) || !SHOWN.includes(meter))) return []
    const apart = refused === 0 ? '' : `, ${refused} refused`
    // Cost or tokens: one of them is enough.
    const isShown = meter === 'tokens' && usage.cost.assumed > 0
    const standing = meterText(written ?? meter, meter, settled, limit)
    return [`${standing}${isShown ? '' : assumedText(meter, assumed)}${apart}`]
  })
}

const START_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such program here or on the PATH. Check its name, or give its full path',
  EACCES: 'it is not an executable program. Check the path and its mode',
}

function startFault(command: string, { code = '', message }: NodeJS.ErrnoException): string {
  return `"${printable(command)}" could not be started: ${START_FAULTS[code] ?? printable(message)}.`
}

function leftLine({ supervised }: ExecResult): readonly string[] {
  const { left, cause } = supervised
  if (left.length === 0) return []
  const pids = left.slice(0, MOST_PIDS).map(({ pid }) => pid)
  const what = countText(left.length, 'process', 'processes')
  const why = cause === null ? 'of the command is still running' : 'could not be ended'
  return [`  ${what} ${why}: pid ${pids.join(', ')}${left.length > pids.length ? ', …' : ''}`]
}
