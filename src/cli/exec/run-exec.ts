import type { Clock } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import {
  addressesOf,
  type CommandEnvironment,
  commandEnvironment,
  createProcessTable,
  EXEC_EXIT,
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
} from '../../gateway/exec/index.ts'
import { createSystemClock } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { type ExecDocument, resumedArgs } from './exec-document.ts'
import type { ExecPlace } from './exec-place.ts'
import type { ExecPlan } from './exec-plan.ts'
import { type ExecResult, execJson } from './exec-report.ts'
import { execSummary } from './exec-summary.ts'
import { configuredKeys } from './exec-upstreams.ts'
import { openLocalPlace } from './open-local-place.ts'
import { openNestedPlace } from './open-nested-place.ts'
import { assertReportFile, writeReport } from './report-file.ts'
import { createStatusLine } from './status-line.ts'

// Section 8 of the design: half a minute after the closing answer, five minutes in a pause.
const PATIENCE: Patience = { afterClosingMs: 30_000, closingMs: 300_000, pauseMs: 300_000 }

/** A run that is started again, with what was kept of it. */
export interface Resumption {
  readonly scopeId: string
  readonly document: ExecDocument
}

/** Runs a command under limits to its end, and says what became of it. What it writes, it writes itself. */
export async function runExec(context: CommandContext, plan: ExecPlan, resumption?: Resumption): Promise<Report> {
  const { platform } = context
  const jsonFile = plan.jsonFile === null ? null : assertReportFile(plan.jsonFile, platform.workingFolder)
  platform.outliveOutput()
  const clock = createSystemClock()
  const place = await openPlace(context, plan, clock, resumption)
  const startedAtMs = platform.nowMs()
  const environment = environmentFor(context, plan, place)
  const supervised = await startAndSupervise(context, plan, place, clock, environment, resumption).catch(
    async (error) => {
      await place.leave({ status: 'failed', exitCode: EXEC_EXIT.stintFailed }, null).catch(() => {})
      throw error
    },
  )
  const outcome = outcomeOf(supervised)
  // The command has ended, so that a signal can only mean us: we go sooner, and not without a word.
  const callOff = platform.onStop(place.hurry)
  const { usage, ...totals } = await place.leave(outcome, supervised.state)
  const result: ExecResult = {
    run: place.run,
    command: [plan.command, ...plan.args],
    outcome,
    supervised: { ...supervised, state: { ...supervised.state, ...totals } },
    usage,
    startedAtMs,
    endedAtMs: platform.nowMs(),
    keptBack: environment.keptBack,
  }
  const json = execJson(result)
  platform.writeError(`${execSummary(result, context.paint)}\n`)
  const isTold = jsonFile === null || tell(context, jsonFile, json)
  callOff()
  return { json, text: null, exitCode: isTold ? outcome.exitCode : EXEC_EXIT.stintFailed }
}

/** Whether the file could be written: the disk may be full by now, or the folder gone. */
function tell({ platform }: CommandContext, file: string, json: object): boolean {
  try {
    writeReport(file, json)
    return true
  } catch (error) {
    platform.writeError(`stint: The report could not be written: ${printable((error as Error).message)}\n`)
    return false
  }
}

async function openPlace(
  context: CommandContext,
  plan: ExecPlan,
  clock: Clock,
  resumption: Resumption | undefined,
): Promise<ExecPlace> {
  const { [SCOPE_VARIABLE]: token } = context.platform.env
  if (token && resumption === undefined) return openNestedPlace(token, plan)
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
  return openLocalPlace(context, plan, { clock, pauseMs, document, resumes: resumption?.scopeId ?? null })
}

function environmentFor(context: CommandContext, plan: ExecPlan, { run }: ExecPlace): CommandEnvironment {
  const { platform } = context
  const environment = commandEnvironment(platform.env, {
    addresses: addressesOf(run.gatewayUrl, run.key),
    furtherKeys: configuredKeys(context),
    allowedKeys: plan.allowedKeys,
    own: { [RUN_VARIABLE]: markRun(platform.env[RUN_VARIABLE], run.id), [SCOPE_VARIABLE]: run.token },
  })
  for (const name of environment.detours) {
    platform.writeError(`stint: ${name} is set: the command goes past Stint with it, and no limit holds its calls.\n`)
  }
  return environment
}

async function startAndSupervise(
  context: CommandContext,
  plan: ExecPlan,
  { run, hasIdleLimit }: ExecPlace,
  clock: Clock,
  { env }: CommandEnvironment,
  resumption: Resumption | undefined,
): Promise<SupervisedEnd> {
  const { platform } = context
  const { input, output, error } = platform.terminals
  const { gatewayUrl, key } = run
  const addresses = addressesOf(gatewayUrl, key)
  const args = resumption === undefined ? plan.args : resumedArgs(resumption.document)
  const { homeFolder } = platform
  const planned = { command: plan.command, args, env, addresses, gatewayUrl, key, homeFolder }
  const prepared: PreparedCommand = prepareClients(planned)
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
    // Where the command is at the terminal itself, a line of ours would be written into its own.
    const isShown = error && !input && !output
    const line = isShown ? createStatusLine(run, platform.writeError, clock.monotonicMs) : null
    const supervised = await superviseCommand({
      run,
      command,
      clock,
      patience: patienceOf(context),
      graceMs: plan.graceMs,
      isInteractive: input,
      ...(line === null ? {} : { onLook: line.show }),
    })
    line?.clear()
    return supervised
  } finally {
    prepared.cleanUp()
  }
}

/** Shorter in tests, which cannot wait for minutes. */
function patienceOf({ platform }: CommandContext): Patience {
  return { ...PATIENCE, ...platform.patience }
}
