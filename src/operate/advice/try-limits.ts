import { type HistoryEntry, InvalidOptionError, type Limit } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'
import { ADVISED_METERS, type AdvisedMeter, type PastRun, pastRuns, usedBy } from './past-runs.ts'

/** What would have become of a run under other limits. */
export interface TriedRun {
  readonly run: PastRun
  /** The limit that it would have reached first. */
  readonly meter: AdvisedMeter
  readonly savedNanoUsd: number
  /** Its calls are no longer kept: what it would have saved is in proportion. */
  readonly isEstimated: boolean
}

/** What other limits would have done to the runs of an agent. */
export interface TriedLimits {
  readonly agent: string
  /** All that have ended, except those that ended for other reasons than their work or a limit. */
  readonly runs: number
  readonly done: number
  /** The runs that would have been cut, the one that would have saved most first. */
  readonly cut: readonly TriedRun[]
  /** Of those, how many finished their work as it was. */
  readonly lost: number
  /** Cut as it was, and within the new limits as far as it got: there is no telling. */
  readonly unknown: number
  readonly savedNanoUsd: number
  readonly costNanoUsd: number
}

// Of the rest it is estimated: reading the calls of each takes time.
const MOST_REPLAYED = 1_000

/** Whether past runs of an agent would have reached these limits, and what that would have saved. */
export async function tryLimits(
  reader: LedgerReader,
  { agent, limits, sinceMs }: { readonly agent: string; readonly limits: readonly Limit[]; readonly sinceMs: number },
): Promise<TriedLimits | null> {
  const found = (await pastRuns(reader, { agent, sinceMs }))[0]
  if (found === undefined) return null
  const maxima = new Map<AdvisedMeter, number>()
  for (const { meter, max } of limits) if (isAdvised(meter)) maxima.set(meter, max)
  const runs = found.runs.filter(({ outcome }) => outcome !== 'other')
  const cut: TriedRun[] = []
  for (const run of runs) {
    const reached = [...maxima].filter(([meter, max]) => usedBy(run.scope, meter) > max)
    if (reached.length > 0) cut.push(await cutRun(reader, run, reached, cut.length < MOST_REPLAYED))
  }
  cut.sort((left, right) => right.savedNanoUsd - left.savedNanoUsd)
  const isCut = new Set(cut.map(({ run }) => run))
  return {
    agent: found.agent,
    runs: runs.length,
    done: runs.filter(({ outcome }) => outcome === 'done').length,
    cut,
    lost: cut.filter(({ run }) => run.outcome === 'done').length,
    unknown: runs.filter((run) => run.outcome === 'cut' && !isCut.has(run)).length,
    savedNanoUsd: cut.reduce((sum, { savedNanoUsd }) => sum + savedNanoUsd, 0),
    costNanoUsd: runs.reduce((sum, { scope }) => sum + scope.totals.cost.settled, 0),
  }
}

/** Whether past runs can be compared with a limit on this meter. */
export function isAdvised(meter: string): meter is AdvisedMeter {
  return ADVISED_METERS.some((each) => each === meter)
}

/** Throws if past runs cannot be compared with one of these limits. */
export function assertTriable(limits: readonly Limit[], place: string): void {
  const other = limits.find(({ meter, per }) => !isAdvised(meter) || per !== null)
  if (other === undefined) return
  const form = 'one on toolCalls, time, cost, modelCalls or tokens, without a period'
  throw new InvalidOptionError(place, other.source.written ?? other.meter, form)
}

type Maxima = readonly (readonly [meter: AdvisedMeter, max: number])[]

async function cutRun(reader: LedgerReader, run: PastRun, reached: Maxima, isReplayed: boolean): Promise<TriedRun> {
  const cost = run.scope.totals.cost.settled
  const replay = isReplayed ? await replayOf(reader, run) : null
  if (replay === null) {
    // The limit that it exceeded most would have cut it first.
    const [meter, share] = reached
      .map(([each, max]) => [each, max / usedBy(run.scope, each)] as const)
      .reduce((first, each) => (each[1] < first[1] ? each : first))
    return { run, meter, savedNanoUsd: Math.round(cost * (1 - share)), isEstimated: true }
  }
  const used = new Map<AdvisedMeter, number>()
  let spent = 0
  for (const { call } of replay.calls) {
    const charged = call?.charged ?? {}
    const hit = reached.find(([meter, max]) => {
      if (meter === 'time') return call!.atMs - run.scope.openedAtMs - replay.pausedMs(call!.atMs) > max
      return (used.get(meter) ?? 0) + (charged[meter] ?? 0) > max
    })
    if (hit !== undefined) return { run, meter: hit[0], savedNanoUsd: Math.max(0, cost - spent), isEstimated: false }
    for (const [meter] of reached) {
      if (meter !== 'time') used.set(meter, (used.get(meter) ?? 0) + (charged[meter] ?? 0))
    }
    spent += charged.cost ?? 0
  }
  // It worked on after its last call.
  return { run, meter: reached[0]![0], savedNanoUsd: 0, isEstimated: false }
}

const PAGE = 1_000
const MOST_PAGES = 50

interface Replay {
  /** In the order in which they were made. */
  readonly calls: readonly HistoryEntry[]
  /** How long the run itself had been paused by a time. */
  pausedMs(untilMs: number): number
}

/** What a run did; `null` if not all of it is kept. */
async function replayOf({ store, nowMs }: LedgerReader, { scope }: PastRun): Promise<Replay | null> {
  const entries: HistoryEntry[] = []
  let since = 0
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await store.history({
      scopeId: scope.id,
      since,
      kinds: ['call_settled', 'reservation_assumed', 'agent_paused', 'agent_resumed'],
      most: PAGE,
      atMs: nowMs(),
    })
    if (page.kind === 'reset') return null
    entries.push(...page.entries)
    if (!page.hasMore) {
      const pauses = pausesIn(entries, scope.id)
      return { calls: oncePerCall(entries), pausedMs: (untilMs) => pausedUntil(pauses, untilMs) }
    }
    since = page.cursor
  }
  return null
}

type Pause = readonly [fromMs: number, toMs: number]

function pausesIn(entries: readonly HistoryEntry[], scopeId: string): readonly Pause[] {
  const pauses: Pause[] = []
  let fromMs: number | null = null
  for (const { event } of entries) {
    if (event.scope !== scopeId) continue
    if (event.event === 'agent_paused') fromMs ??= Date.parse(event.ts)
    else if (event.event === 'agent_resumed' && fromMs !== null) {
      pauses.push([fromMs, Date.parse(event.ts)])
      fromMs = null
    }
  }
  return pauses
}

function pausedUntil(pauses: readonly Pause[], untilMs: number): number {
  return pauses.reduce((sum, [fromMs, toMs]) => sum + Math.max(0, Math.min(toMs, untilMs) - fromMs), 0)
}

/** A corrected call is there twice, each time as it is now. */
function oncePerCall(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const calls = new Map<string, HistoryEntry>()
  for (const entry of entries) if (entry.call !== null) calls.set(entry.call.id, entry)
  return [...calls.values()].sort((left, right) => left.call!.atMs - right.call!.atMs || left.number - right.number)
}
