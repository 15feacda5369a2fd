import { askProgram } from '../holders/other-processes.ts'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

/** Runs `ps` and returns its output; `null` if it fails. */
export type AskPs = (args: readonly string[]) => string | null

const COLUMNS = 'pid=,ppid=,pgid=,uid=,stat=,lstart='

/** The processes of this user on macOS and the BSDs, from `ps`. */
export function createPsProcessTable(
  ask: AskPs = (args) => askProgram('ps', args),
  userId = process.getuid?.() ?? null,
): ProcessTable {
  const read = (...which: readonly string[]): readonly ProcessEntry[] => {
    const lines = ask([...which, '-o', COLUMNS])?.split('\n') ?? []
    return lines.flatMap((line) => parseLine(line, userId) ?? [])
  }
  return {
    list: () => read('-ax'),
    look: (pid) => read('-p', String(pid))[0] ?? null,
    variableOf(pid, name) {
      // The environment comes after the arguments, so the last match counts.
      const text = ask(['eww', '-o', 'command=', '-p', String(pid)]) ?? ''
      const found = text.split(/\s+/).findLast((word) => word.startsWith(`${name}=`))
      return found === undefined ? null : found.slice(name.length + 1)
    },
  }
}

function parseLine(line: string, userId: number | null): ProcessEntry | null {
  const [, pid, parentPid, groupId, user, state, start] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? []
  if (start === undefined || Number(user) !== userId || state?.startsWith('Z')) return null
  return {
    pid: Number(pid),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: null,
    start: start.replaceAll(/\s+/g, ' '),
  }
}
