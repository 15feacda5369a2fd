import type { ChildProcess } from 'node:child_process'
import { codeOf } from '../../../core/checks/thrown.ts'
import { createSystemClock } from '../../../system/index.ts'
import { createProcessTable } from '../../../system/processes/create-process-table.ts'
import { endProcesses } from '../../../system/processes/end-processes.ts'
import { createRunFinder, identityOf } from '../../../system/processes/find-run-processes.ts'
import type { ProcessEntry } from '../../../system/processes/process-table.ts'
import { isMarked, markRun, RUN_VARIABLE } from '../../../system/processes/run-mark.ts'
import {
  HAS_GROUPS,
  type Program,
  type ProgramSpec,
  signalProcess,
  startProgram,
} from '../../../system/processes/start-program.ts'
import { ToolFailure } from '../tool-failure.ts'

/** A program that a tool has started. */
export interface ToolProgram extends Program {
  readonly child: ChildProcess
}

/** Starts and ends the programs of one run's tools. */
export interface Programs {
  /** Starts a program in its own session and group. Throws `ToolFailure` if it fails immediately. */
  start(spec: Pick<ProgramSpec, 'command' | 'args' | 'env' | 'workingFolder' | 'stdio'>): ToolProgram
  /** Ends all programs and processes that they left behind. Nothing can be started afterwards. */
  close(): Promise<void>
}

type Find = () => readonly ProcessEntry[]

// From SIGTERM to the last process; shorter than the governor's own grace period.
export const PROGRAM_GRACE_MS = 2_000
// A process that leaves its session and clears its environment is only known if it was once seen with its parent.
const LOOK_EVERY_MS = 1_000

export interface ProgramsOptions {
  /** The mark of the enclosing run. */
  readonly outerMark: string | undefined
  /** No process has owned the run before, so none can have left anything behind. */
  readonly isNew: boolean
}

/** First ends processes that an earlier owner of the run left behind. */
export async function openPrograms(runId: string, { outerMark, isNew }: ProgramsOptions): Promise<Programs> {
  const table = createProcessTable()
  const clock = createSystemClock()
  // Of programs that are running, or have left processes behind.
  const finders = new Set<Find>()
  let number = 0
  let closed: Promise<void> | null = null
  const endAll = async (find: Find): Promise<void> => {
    const send = (entry: ProcessEntry, signal: NodeJS.Signals) => signalProcess(table, entry, signal)
    await endProcesses({ find, send, clock, graceMs: PROGRAM_GRACE_MS, from: 'SIGTERM' })
  }
  const marked = createRunFinder(table, { pid: NO_PID, runId, leadsGroup: false, ownPid: process.pid })
  // Inside a process of this run, its other processes are not ours to end.
  if (!isNew && LOOKS_ARE_CHEAP && !isMarked(outerMark ?? null, runId)) await endAll(marked)
  return {
    start(spec) {
      if (closed !== null) throw new ToolFailure('The run has ended: nothing more can be started.')
      const id = `${runId}.${++number}`
      const env = { ...spec.env, [RUN_VARIABLE]: markRun(markRun(outerMark, runId), id) }
      const program = startProgram({ ...spec, env, runId: id, leadsGroup: true }, table, clock)
      const { child, error, pid, processes: find } = program
      if (child === null) throw new ToolFailure(`${spec.command} cannot be started (${codeOf(error)}).`, error)
      finders.add(find)
      const look: Find = LOOKS_ARE_CHEAP ? find : () => []
      const looks = setInterval(look, LOOK_EVERY_MS).unref()
      child.once('close', () => clearInterval(looks))
      child.once('exit', () => {
        if (!isGroupThere(pid) && look().length === 0) finders.delete(find)
      })
      return {
        ...program,
        child,
        processes: look,
        async end(graceMs, from) {
          const left = await program.end(graceMs, from)
          finders.delete(find)
          return left
        },
      }
    },
    close() {
      // A look reads every process of this user, which takes longer than all else at the end of a short run.
      const isNothingLeft = isNew && number === 0
      closed ??= isNothingLeft
        ? Promise.resolve()
        : endAll(() => unique([marked, ...finders].flatMap((find) => find())))
      return closed
    },
  }
}

// Elsewhere each look starts `ps` for every process of this user.
const LOOKS_ARE_CHEAP = process.platform === 'linux'
const NO_PID = -1

/** Whether a process is left in the program's group. */
function isGroupThere(pid: number | null): boolean {
  if (!HAS_GROUPS || pid === null) return false
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

function unique(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
  return [...new Map(entries.map((entry) => [identityOf(entry), entry])).values()]
}
