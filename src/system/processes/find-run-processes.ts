import type { ProcessEntry, ProcessTable } from './process-table.ts'
import { isMarked, RUN_VARIABLE } from './run-mark.ts'

/** What tells the processes of a run. */
export interface RunProcesses {
  /** The command's own pid. */
  readonly pid: number
  readonly runId: string
  /** The command leads a session and a group of its own, so that whoever is in them belongs to it. */
  readonly leadsGroup: boolean
  /** Ours, which is never of the run. */
  readonly ownPid: number
  /** Nothing older than this process carries the run's id. Reading the environment of every process takes its time. */
  readonly beganWithUs?: boolean
}

/**
 * Finds the living processes of a run: the command and what carries the run's id in its environment, because it went
 * its own way (`setsid`, a double fork); what descends from these, and what is in a session that one of them began.
 * Whoever was found once is known from then on, also when its parent is gone.
 */
export function createRunFinder(table: ProcessTable, run: RunProcesses): () => readonly ProcessEntry[] {
  // By its start: when the command has ended, its pid may be given to anybody.
  const start = table.look(run.pid)?.start ?? null
  let known: ReadonlySet<string> = new Set()
  return () => {
    const entries = table.list()
    const leader = entries.find(({ pid }) => pid === run.pid)
    // As long as anybody is left in the group, no other process is given its number.
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

/** Only where starts are numbers, as on Linux; elsewhere nothing is known to be older. */
function isOlder(entry: ProcessEntry, own: ProcessEntry | undefined): boolean {
  return own !== undefined && Number(entry.start) < Number(own.start)
}

/** A process for as long as it lives: its pid alone may be another's by now. */
export function identityOf({ pid, start }: ProcessEntry): string {
  return `${pid}/${start}`
}

/**
 * Adds everybody below `roots`, and in the sessions that they are in, but for our own session: a person may sit in that.
 * Where it is not known which that is, no session tells anything.
 */
function withFamilies(
  roots: readonly ProcessEntry[],
  entries: readonly ProcessEntry[],
  ownSession: number | null,
): readonly ProcessEntry[] {
  const children = groupBy(entries, ({ parentPid }) => parentPid)
  const sessions = groupBy(entries, ({ sessionId }) => sessionId)
  const found = new Set(roots)
  // A set grows while it is walked through, and each process is in it once.
  for (const { pid, sessionId } of found) {
    for (const child of children.get(pid) ?? []) found.add(child)
    // Nobody joins a session but by being born in it.
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
