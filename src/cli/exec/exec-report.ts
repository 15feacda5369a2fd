import { type Breach, METER_NAMES, METERS, type Meter } from '../../core/index.ts'
import type { ExecOutcome, GovernedRun, SupervisedEnd } from '../../exec/index.ts'
import type { MeterUsage } from '../../governor/index.ts'

export type Usage = Readonly<Record<Meter, MeterUsage>>

/** Everything known about a run of `exec` when it is over. */
export interface ExecResult {
  readonly run: GovernedRun
  readonly command: readonly string[]
  readonly outcome: ExecOutcome
  readonly supervised: SupervisedEnd
  readonly usage: Usage
  /** `false`: it had limits, or had to make calls, and none came through Stint. */
  readonly governed: boolean
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly keptBack: readonly string[]
}

/** The file of `--json`: the shape that docs/reference/cli.md promises. */
export function execJson(result: ExecResult): object {
  const { run, command, outcome, supervised, usage, governed, startedAtMs, endedAtMs, keptBack } = result
  const { state, end, left } = supervised
  const { status, exitCode } = outcome
  const breaches = breachesOf(result)
  return {
    id: run.id,
    path: run.path,
    status,
    exitCode,
    command,
    commandEnd: { code: end.code, signal: end.signal, error: end.error?.message ?? null },
    startedAtMs,
    endedAtMs,
    durationMs: endedAtMs - startedAtMs,
    breach: breaches[0] === undefined ? null : breachJson(breaches[0]),
    breaches: breaches.map(breachJson),
    usage,
    reason: state.reason,
    governed,
    calls: state.calls,
    refusedByStint: state.refusedByStint,
    refusedByProvider: state.refusedByProvider,
    unanswered: state.unanswered,
    clamps: state.clamps,
    notices: state.notices,
    hasWrappedUp: state.closing === 'answered',
    lastText: state.lastText,
    sessionId: state.sessionId,
    keptBack,
    leftRunning: left.map(({ pid }) => pid),
  }
}

/** The limits that ended or paused it. */
export function breachesOf({ outcome, supervised: { state } }: ExecResult): readonly Breach[] {
  if (state.breaches !== null) return state.breaches
  return outcome.status === 'limit-reached' && state.cutBy !== null ? [state.cutBy] : []
}

/** The meters that describe a run's usage. */
export function spentMeters(): readonly Meter[] {
  return METER_NAMES.filter((meter) => METERS[meter].kind === 'counter' || meter === 'time' || meter === 'wallTime')
}

function breachJson(breach: Breach): object {
  return { ...breach, unit: METERS[breach.meter].unit }
}
