import type {
  AnswerOutcome,
  AssumeOutcome,
  LedgerStore,
  OpenOutcome,
  ReserveOutcome,
  ResumeOutcome,
  ScopeReading,
  SettleOutcome,
} from '../../src/core/index.ts'
import type { HistoryCommand } from '../../src/testing/store-contract/histories/history-command.ts'
import {
  type Conflict,
  type HistoryRequest,
  type OfTheDead,
  sendRequest,
} from '../../src/testing/store-contract/histories/history-request.ts'
import { createHistoryState } from '../../src/testing/store-contract/histories/history-state.ts'

/** One step of a history: what was asked, what the store answered, and how everything stood before and after. */
export interface Step {
  readonly request: HistoryRequest
  readonly answer: unknown
  readonly before: Snapshot
  readonly after: Snapshot
  readonly isReplay: boolean
  /** The time of both snapshots: that of a replayed request lies in the past. */
  readonly atMs: number
  /** Whether no step before was of a later time. */
  readonly isLatest: boolean
}

/** Every scope that was ever opened, by its id. */
export type Snapshot = ReadonlyMap<string, ScopeReading>

type Call<Name extends HistoryRequest['call'], Answer> = Step & {
  readonly request: HistoryRequest & { readonly call: Name }
  readonly answer: Answer
}

export const isReserve = (step: Step): step is Call<'reserve', ReserveOutcome | Conflict | OfTheDead> =>
  step.request.call === 'reserve'
export const isSettle = (step: Step): step is Call<'settle', SettleOutcome> => step.request.call === 'settle'
export const isRelease = (step: Step): step is Call<'release', SettleOutcome> => step.request.call === 'release'
export const isAssume = (step: Step): step is Call<'assume', AssumeOutcome> => step.request.call === 'assume'
export const isOpen = (step: Step): step is Call<'open', OpenOutcome | OfTheDead> => step.request.call === 'open'
export const isResume = (step: Step): step is Call<'resume', ResumeOutcome | OfTheDead> =>
  step.request.call === 'resume'
export const isAnswer = (step: Step): step is Call<'answer', AnswerOutcome> => step.request.call === 'answer'

/** Plays a history on a store, and keeps a snapshot of the whole tree around every step. */
export async function playHistory(store: LedgerStore, commands: readonly HistoryCommand[]): Promise<readonly Step[]> {
  const state = createHistoryState()
  const steps: Step[] = []
  let latestMs = state.atMs

  const snapshot = async (): Promise<Snapshot> => {
    const readings = await store.list({ standing: 'all', atMs: state.atMs })
    return new Map(readings.map((reading) => [reading.id, reading]))
  }

  for (const command of commands) {
    const next = state.requestFor(command)
    if (next === null) continue
    const { request, isReplay } = next
    const { atMs } = state
    const last = steps.at(-1)
    const before = last?.atMs === atMs ? last.after : await snapshot()
    const answer = await sendRequest(store, request)
    state.heard(request, answer)
    steps.push({ request, answer, before, after: await snapshot(), isReplay, atMs, isLatest: atMs >= latestMs })
    latestMs = Math.max(latestMs, atMs)
  }
  return steps
}
