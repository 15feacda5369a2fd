import type { ProcessEntry, ProcessTable } from './process-table.ts'
import { isMarked, RUN_VARIABLE } from './run-mark.ts'

/** How to recognize the processes of a run. */
export interface RunProcesses {
  /** The command's own pid. */
  readonly pid: number
  readonly runId: string
  /** The command leads its own session and group, so that every process in them belongs to it. */
  readonly leadsGroup: boolean
  /** This process, which is never part of the run. */
  readonly ownPid: number
  /** No process older than this one belongs to the run: saves reading the environment of every process. */
  readonly beganWithUs?: boolean
}

/**
 * Finds the running processes of a run: the command; processes with the run's id in their environment, which may have
 * detached (`setsid`, a double fork); their descendants; and everything in their sessions. A process that was found
 * once stays known, even when its parent is gone.
 */
export function createRunFinder(table: ProcessTable, run: RunProcesses): () => readonly ProcessEntry[] {
  // With its start time, since its pid may be reused after the command has ended.
  const start = table.look(run.pid)?.start ?? null
  let known: ReadonlySet<string> = new Set()
  return () => {
    const entries = table.list()
    const leader = entries.find(({ pid }) => pid === run.pid)
    // As long as a process is left in the group, the group's id is not reused.
    const isOurs = leader === undefined || leader.start === start
    const own = entries.find(({ pid }) => pid === run.ownPid)
    const ownSession = own?.sessionId ?? null
    const isKnown = (entry: ProcessEntry): boolean => {
      if (known.has(identityOf(entry))) return true
      if (isOurs && entry.pid === run.pid) return true
      if (isOurs && run.leadsGroup && (entry.groupId === run.pid || entry.sessionId === run.pid)) return true
      if (run.beganWithUs === true && isOlder(entry, own)) return false
      return isMarked(table.variableOf(entry.pid, RUN_VARIABLE), run.runId)
    }
    const others = entries.filter(({ pid }) => pid !== run.ownPid)
    const found = withFamilies(others.filter(isKnown), others, ownSession)
    known = new Set(found.map(identityOf))
    return found
  }
}

/** Only where start times are numbers, as on Linux; elsewhere nothing is known to be older. */
function isOlder(entry: ProcessEntry, own: ProcessEntry | undefined): boolean {
  return own !== undefined && Number(entry.start) < Number(own.start)
}

/** Identifies a process, since a pid alone may be reused. */
export function identityOf({ pid, start }: ProcessEntry): string {
  return `${pid}/${start}`
}

/**
 * Adds all descendants of `roots`, and all processes in their sessions, except for our own session, which may be the
 * user's. If our own session is not known, sessions are ignored.
 */
function withFamilies(
  roots: readonly ProcessEntry[],
  entries: readonly ProcessEntry[],
  ownSession: number | null,
): readonly ProcessEntry[] {
  const children = groupBy(entries, ({ parentPid }) => parentPid)
  const sessions = groupBy(entries, ({ sessionId }) => sessionId)
  const found = new Set(roots)
  // The loop also visits the processes that it adds.
  for (const { pid, sessionId } of found) {
    for (const child of children.get(pid) ?? []) found.add(child)
    // A process can only be started in a session, not join it.
    if (ownSession === null || sessionId === ownSession || !sessionId) continue
    for (const member of sessions.get(sessionId) ?? []) found.add(member)
  }
  return entries.filter((entry) => found.has(entry))
}

function groupBy<Key>(
  entries: readonly ProcessEntry[],
  keyOf: (entry: ProcessEntry) => Key,
): ReadonlyMap<Key, readonly ProcessEntry[]> {
  const groups = new Map<Key, ProcessEntry[]>()
  for (const entry of entries) {
    const group = groups.get(keyOf(entry))
    if (group === undefined) groups.set(keyOf(entry), [entry])
    else group.push(entry)
  }
  return groups
}
