import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { createSystemClock } from '../../../system/index.ts'
import { createProcessTable } from '../../../system/processes/create-process-table.ts'
import { endProcesses } from '../../../system/processes/end-processes.ts'
import { createRunFinder, identityOf } from '../../../system/processes/find-run-processes.ts'
import type { ProcessEntry } from '../../../system/processes/process-table.ts'
import { isMarked, markRun, RUN_VARIABLE } from '../../../system/processes/run-mark.ts'
import { ToolFailure } from '../tool-failure.ts'

export interface ProgramSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingFolder: string
  readonly stdio: StdioOptions
}

/** A program that runs, with everything that it starts. */
export interface Program {
  readonly child: ChildProcess
  /** Its processes that are still there, where that is easy to see; else none. */
  left(): readonly ProcessEntry[]
  /** Ends the whole tree within the grace. Never rejects. */
  end(): Promise<void>
}

/** The programs that the tools of one run start. */
export interface Programs {
  /** Starts one in a session and a group of its own. Throws `ToolFailure` where that is known at once. */
  start(spec: ProgramSpec): Program
  /** Ends all that were started and whatever they left behind. Nothing can be started from then on. */
  close(): Promise<void>
}

type Find = () => readonly ProcessEntry[]

// From SIGTERM to the last process: within the governor's own grace.
const GRACE_MS = 2_000
// Somebody who leaves both its session and its environment behind is known if it was seen with its parent once.
const LOOK_EVERY_MS = 1_000

/** `outerMark`: that of the run which this one is in. Processes that an earlier owner of the run left are ended first. */
export async function openPrograms(runId: string, outerMark: string | undefined): Promise<Programs> {
  const table = createProcessTable()
  const clock = createSystemClock()
  const ownPid = process.pid
  // Those that have left something behind, and those that still run.
  const finders = new Set<Find>()
  let number = 0
  let closed: Promise<void> | null = null
  const send = (entry: ProcessEntry, signal: NodeJS.Signals): void => {
    // Looked at again right before: since it was found, the pid may have become another's.
    const now = table.look(entry.pid)
    if (now !== null && identityOf(now) === identityOf(entry)) kill(entry.pid, signal)
  }
  const endAll = async (find: Find): Promise<void> => {
    await endProcesses({ find, send, clock, graceMs: GRACE_MS, from: 'SIGTERM' })
  }
  const marked = createRunFinder(table, { pid: NOBODY, runId, leadsGroup: false, ownPid })
  // Inside of a process of this very run, the others of it are not ours to end.
  if (LOOKS_ARE_CHEAP && !isMarked(outerMark ?? null, runId)) await endAll(marked)
  return {
    start({ command, args, env, workingFolder, stdio }) {
      if (closed !== null) throw new ToolFailure('The run has ended: nothing can be started any more.')
      const id = `${runId}.${++number}`
      const mark = markRun(markRun(outerMark, runId), id)
      const options = { cwd: workingFolder, env: { ...env, [RUN_VARIABLE]: mark }, stdio, detached: HAS_GROUPS }
      const child = spawnOr(command, args, options)
      const { pid = NOBODY } = child
      const find = createRunFinder(table, { pid, runId: id, leadsGroup: HAS_GROUPS && pid !== NOBODY, ownPid })
      finders.add(find)
      const look: Find = LOOKS_ARE_CHEAP ? find : () => []
      const looks = setInterval(look, LOOK_EVERY_MS).unref()
      child.once('close', () => clearInterval(looks))
      child.once('exit', () => {
        if (!isGroupThere(pid) && look().length === 0) finders.delete(find)
      })
      return {
        child,
        left: look,
        async end() {
          await endAll(find)
          finders.delete(find)
          // Where nobody can be found, at least itself.
          child.kill('SIGKILL')
        },
      }
    },
    close() {
      closed ??= endAll(() => unique([marked, ...finders].flatMap((find) => find())))
      return closed
    },
  }
}

// Elsewhere each look starts a program for every process of this user: only what must end is looked for.
const LOOKS_ARE_CHEAP = process.platform === 'linux'
const HAS_GROUPS = process.platform !== 'win32'
const NOBODY = -1

/** Whether anybody is left in the group that a program led. */
function isGroupThere(pid: number): boolean {
  if (!HAS_GROUPS || pid === NOBODY) return false
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

function unique(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
  return [...new Map(entries.map((entry) => [identityOf(entry), entry])).values()]
}

function spawnOr(command: string, args: readonly string[], options: Parameters<typeof spawn>[2]): ChildProcess {
  try {
    return spawn(command, [...args], options)
  } catch (error) {
    throw new ToolFailure(`${command} cannot be started (${(error as NodeJS.ErrnoException).code}).`, error)
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, which is what was wanted.
  }
}
