import { withoutItsPassword } from '../../config/store-address.ts'
import { printable } from '../../core/checks/printable.ts'
import { messageOf } from '../../core/checks/thrown.ts'
import { type Clock, isLimitExceeded } from '../../core/index.ts'
import {
  addressesOf,
  type CommandEnvironment,
  callOff,
  commandEnvironment,
  createProcessTable,
  EXEC_EXIT,
  type ExecOutcome,
  isCalledOff,
  markRun,
  outcomeOf,
  type Patience,
  type PreparedCommand,
  prepareClients,
  RUN_VARIABLE,
  SCOPE_VARIABLE,
  type SupervisedEnd,
  startCommand,
  superviseCommand,
} from '../../exec/index.ts'
import { idlePlanningLimits } from '../../policy/layers/idle-planning-limits.ts'
import { createSystemClock } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { loadLazyPackages } from '../lazy-packages/lazy-packages.ts'
import type { Report } from '../output/report.ts'
import { type ExecDocument, resumedArgs } from './exec-document.ts'
import type { ExecPlace, ExecTotals } from './exec-place.ts'
import type { ExecPlan } from './exec-plan.ts'
import { type ExecResult, execJson } from './exec-report.ts'
import { execSummary } from './exec-summary.ts'
import { configuredKeys } from './exec-upstreams.ts'
import type { HeldSignals } from './held-signals.ts'
import { isGoverned } from './is-governed.ts'
import { createNoticeLines, type NoticeLines } from './notice-lines.ts'
import { openLocalPlace } from './open-local-place.ts'
import { openNestedPlace } from './open-nested-place.ts'
import { assertReportFile, writeReport } from './report-file.ts'
import { createStatusLine } from './status-line.ts'

// Section 8 of the design: half a minute after the closing answer, five minutes in a pause.
const PATIENCE: Patience = { afterClosingMs: 30_000, closingMs: 300_000, pauseMs: 300_000 }

// For a run that was resumed, and whose command was not started because a signal came first.
const STILL_PAUSED: ExecOutcome = { status: 'paused', exitCode: EXEC_EXIT.paused }

// A command that lives this long will probably make calls.
const LOAD_AFTER_MS = 1_000

/** A resumed run, with what was saved of it. */
export interface Resumption {
  readonly scopeId: string
  readonly document: ExecDocument
}

/**
 * Runs a command under limits to its end, and reports the outcome. It prints everything itself. Once it has opened a
 * run, it reports even if it gets a signal.
 */
export async function runExec(
  context: CommandContext,
  plan: ExecPlan,
  signals: HeldSignals,
  resumption?: Resumption,
): Promise<Report> {
  const { platform } = context
  const jsonFile = plan.jsonFile === null ? null : assertReportFile(plan.jsonFile, platform.workingFolder)
  platform.outliveOutput()
  for (const line of limitWarnings(plan)) platform.writeError(`stint: ${printable(line)}\n`)
  const clock = createSystemClock()
  const place = await openPlace(context, plan, clock, signals, resumption).catch((error: unknown) => {
    if (signals.hasCome() && isLimitExceeded(error)) return { refusal: error.message }
    throw error
  })
  // A signal ended the wait for a place, so no run was opened and there is nothing to report.
  if ('refusal' in place) return { json: null, text: null, notices: [place.refusal], exitCode: EXEC_EXIT.stopped }
  const startedAtMs = platform.nowMs()
  const environment = environmentFor(context, plan, place)
  const notices = createNoticeLines(context.errorPaint)
  const supervision = { environment, signals, resumption, notices }
  const supervised = await startAndSupervise(context, plan, place, clock, supervision).catch(async (error) => {
    signals.hear(place.hurry)
    await place.leave(() => ({ status: 'failed', exitCode: EXEC_EXIT.stintFailed }), null).catch(() => {})
    throw error
  })
  // A client may leave after the last event of an answer, before we know how it ended.
  const judge = ({ cutBy }: ExecTotals): ExecOutcome =>
    isCalledOff(supervised.end) && resumption !== undefined
      ? STILL_PAUSED
      : outcomeOf({ ...supervised, state: { ...supervised.state, cutBy } })
  // The command has ended, so a signal is meant for us: we leave sooner, but still report.
  signals.hear(place.hurry)
  const left = await place.leave(judge, supervised.state)
  const { outcome } = left
  const { usage, ...totals } = left.totals
  const state = { ...supervised.state, ...totals }
  // A command that never ran made no calls, so that is not worth reporting.
  const governed = supervised.end.error !== null || isGoverned(state, usage, plan.requiresCalls)
  const result: ExecResult = {
    run: place.run,
    command: [plan.command, ...plan.args],
    outcome: governed || !plan.requiresCalls ? outcome : withoutCalls(outcome),
    supervised: { ...supervised, state },
    usage,
    governed,
    startedAtMs,
    endedAtMs: platform.nowMs(),
    keptBack: environment.keptBack,
  }
  for (const line of notices.unshown(state)) platform.writeError(`${line}\n`)
  const json = execJson(result)
  platform.writeError(`${execSummary(result, context.paint)}\n`)
  const isReported = jsonFile === null || saveReport(context, jsonFile, json)
  const exitCode = isReported ? result.outcome.exitCode : EXEC_EXIT.stintFailed
  // Everything is reported: from now on a signal ends the process immediately, with the run's exit code.
  signals.hear(() => platform.endNow(exitCode))
  return { json, text: null, exitCode }
}

/** The limits that do not apply as written. What is ignored in an untrusted folder has its own line. */
function limitWarnings({ resolved }: ExecPlan): readonly string[] {
  const notices = resolved.notices.filter(({ kind }) => kind !== 'not-trusted')
  return [...idlePlanningLimits(resolved.limits), ...notices.map(({ message }) => message)]
}

/** If a limit, a pause or a signal ended it, that is reported instead. */
function withoutCalls({ status, exitCode }: ExecOutcome): ExecOutcome {
  const isCommandsOwn = status === 'completed' || status === 'failed'
  return { status, exitCode: isCommandsOwn ? EXEC_EXIT.stintFailed : exitCode }
}

/** Whether the file could be written: the disk may have filled up, or the folder be gone. */
function saveReport({ platform }: CommandContext, file: string, json: object): boolean {
  try {
    writeReport(file, json)
    return true
  } catch (error) {
    platform.writeError(`stint: The report could not be written: ${printable(messageOf(error))}\n`)
    return false
  }
}

async function openPlace(
  context: CommandContext,
  plan: ExecPlan,
  clock: Clock,
  signals: HeldSignals,
  resumption: Resumption | undefined,
): Promise<ExecPlace> {
  const { [SCOPE_VARIABLE]: token } = context.platform.env
  if (token && resumption === undefined) return openNestedPlace(context, token, plan)
  const { command, args, graceMs, allowedKeys } = plan
  const document: ExecDocument = resumption?.document ?? {
    kind: 'exec',
    command,
    args,
    workingFolder: context.platform.workingFolder,
    sessionId: null,
    graceMs,
    allowedKeys,
  }
  const { pauseMs } = patienceOf(context)
  const interrupted = new AbortController()
  signals.hear(() => interrupted.abort())
  if (signals.hasCome()) interrupted.abort()
  const { signal } = interrupted
  return openLocalPlace(context, plan, { clock, pauseMs, document, resumes: resumption?.scopeId ?? null, signal })
}

function environmentFor(context: CommandContext, plan: ExecPlan, { run }: ExecPlace): CommandEnvironment {
  const { platform } = context
  const environment = commandEnvironment(platform.env, {
    addresses: addressesOf(run.gatewayUrl, run.key),
    furtherKeys: configuredKeys(context),
    allowedKeys: plan.allowedKeys,
    own: {
      ...ledgerVariable(platform.env),
      [RUN_VARIABLE]: markRun(platform.env[RUN_VARIABLE], run.id),
      [SCOPE_VARIABLE]: run.token,
    },
  })
  for (const name of environment.detours) {
    platform.writeError(
      `stint: ${name} is set: with it the command bypasses Stint, and no limit applies to its calls.\n`,
    )
  }
  return environment
}

/** What the command runs needs no password of the ledger: it reaches it through this process. */
function ledgerVariable({ STINT_STORE: store = '' }: CommandContext['platform']['env']): { STINT_STORE?: string } {
  if (!/^postgres(?:ql)?:/.test(store)) return {}
  return { STINT_STORE: URL.canParse(store) ? withoutItsPassword(store) : '' }
}

interface Supervision {
  readonly environment: CommandEnvironment
  readonly signals: HeldSignals
  readonly resumption: Resumption | undefined
  readonly notices: NoticeLines
}

async function startAndSupervise(
  context: CommandContext,
  plan: ExecPlan,
  { run, hasIdleLimit }: ExecPlace,
  clock: Clock,
  { environment, signals, resumption, notices }: Supervision,
): Promise<SupervisedEnd> {
  if (signals.hasCome()) return callOff(run)
  // From here on signals are passed on to the command.
  signals.hear(() => {})
  const { platform } = context
  const { input, output, error } = platform.terminals
  const { gatewayUrl, key } = run
  const addresses = addressesOf(gatewayUrl, key)
  const args = resumption === undefined ? plan.args : resumedArgs(resumption.document)
  const { homeFolder } = platform
  const stateFolder = context.config().homeFolder
  const { env } = environment
  const planned = { command: plan.command, args, env, addresses, gatewayUrl, key, homeFolder, stateFolder }
  const prepared: PreparedCommand = prepareClients(planned)
  const loading = setTimeout(loadLazyPackages, LOAD_AFTER_MS)
  try {
    const command = startCommand(
      {
        command: prepared.command,
        args: prepared.args,
        env: prepared.env,
        workingFolder: resumption?.document.workingFolder ?? platform.workingFolder,
        runId: run.id,
        isInteractive: input,
        watched: { stdout: hasIdleLimit && !output, stderr: hasIdleLimit && !error },
        onOutput: run.touch,
      },
      createProcessTable(),
      clock,
    )
    // If the command uses the terminal itself, our line would end up in its output.
    const isShown = error && !input && !output
    const line = isShown
      ? createStatusLine(run, platform.writeError, clock.monotonicMs, () => platform.screen().columns)
      : null
    // So would notices, which can wait for the end.
    const mayInterrupt = isShown || !error
    const say = (text: string): void => (line === null ? platform.writeError(`${text}\n`) : line.say(text))
    const supervised = await superviseCommand({
      run,
      command,
      clock,
      patience: patienceOf(context),
      graceMs: plan.graceMs,
      isInteractive: input,
      onLook(state) {
        if (mayInterrupt) for (const text of notices.unshown(state)) say(text)
        line?.show(state)
      },
    })
    line?.clear()
    return supervised
  } finally {
    clearTimeout(loading)
    prepared.cleanUp()
  }
}

/** Shorter in tests, which cannot wait for minutes. */
function patienceOf({ platform }: CommandContext): Patience {
  return { ...PATIENCE, ...platform.patience }
}
