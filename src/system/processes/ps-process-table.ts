import { execFileSync } from 'node:child_process'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

/** Runs `ps` and returns what it prints; `null` if it fails. */
export type AskPs = (args: readonly string[]) => string | null

const COLUMNS = 'pid=,ppid=,pgid=,uid=,stat=,lstart='

/** The processes of this user on macOS and the BSDs, from `ps`. */
export function createPsProcessTable(ask: AskPs = askPs, userId = process.getuid?.() ?? null): ProcessTable {
  const read = (...which: readonly string[]): readonly ProcessEntry[] => {
    const lines = ask([...which, '-o', COLUMNS])?.split('\n') ?? []
    return lines.flatMap((line) => parseLine(line, userId) ?? [])
  }
  return {
    list: () => read('-ax'),
    look: (pid) => read('-p', String(pid))[0] ?? null,
    variableOf(pid, name) {
      // The environment stands behind the arguments: the last one that looks like it is the one.
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

const ASK_TIMEOUT_MS = 2000
const LONGEST_ANSWER = 16 * 1024 * 1024

function askPs(args: readonly string[]): string | null {
  try {
    return execFileSync('ps', [...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ASK_TIMEOUT_MS,
      maxBuffer: LONGEST_ANSWER,
    })
  } catch {
    return null
  }
}
