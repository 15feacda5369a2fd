import {
  type Amounts,
  type AssumeOutcome,
  type AssumeRequest,
  type CloseRequest,
  type HoldAsk,
  isStintError,
  type LedgerStore,
  type NewScope,
  type OpenOutcome,
  type OpenRequest,
  type ReleaseRequest,
  type ReserveOutcome,
  type ReserveRequest,
  type ScopeReading,
  type SetLimitsRequest,
  type SettleOutcome,
  type SettleRequest,
} from '../../src/core/index.ts'
import { type Command, HOLDERS, type Reported } from './random-history.ts'

/** One step of a history: what was asked, what the store answered, and how everything stood before and after. */
export interface Step {
  readonly request: Request
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

export type Request =
  | ({ readonly call: 'open' } & OpenRequest)
  | ({ readonly call: 'close' } & CloseRequest)
  | ({ readonly call: 'reserve' } & ReserveRequest)
  | ({ readonly call: 'settle' } & SettleRequest)
  | ({ readonly call: 'release' } & ReleaseRequest)
  | ({ readonly call: 'assume' } & AssumeRequest)
  | { readonly call: 'hold'; readonly scopeId: string; readonly wanted: Amounts | null; readonly atMs: number }
  | ({ readonly call: 'setLimits' } & SetLimitsRequest)

export const isReserve = (
  step: Step,
): step is Step & { request: { call: 'reserve' }; answer: ReserveOutcome | { kind: 'conflict' } } =>
  step.request.call === 'reserve'
export const isSettle = (step: Step): step is Step & { request: { call: 'settle' }; answer: SettleOutcome } =>
  step.request.call === 'settle'
export const isRelease = (step: Step): step is Step & { request: { call: 'release' }; answer: SettleOutcome } =>
  step.request.call === 'release'
export const isAssume = (step: Step): step is Step & { request: { call: 'assume' }; answer: AssumeOutcome } =>
  step.request.call === 'assume'
export const isOpen = (step: Step): step is Step & { request: { call: 'open' }; answer: OpenOutcome } =>
  step.request.call === 'open'

/** Plays a history on a store, and keeps a snapshot of the whole tree around every step. */
export async function playHistory(store: LedgerStore, commands: readonly Command[]): Promise<readonly Step[]> {
  const scopeIds: string[] = []
  const reservationIds: string[] = []
  const steps: Step[] = []
  let atMs = Date.UTC(2026, 9, 24, 20)
  let latestMs = atMs

  const snapshot = async (): Promise<Snapshot> => {
    const readings = await Promise.all(scopeIds.map(async (scopeId) => (await store.read({ scopeId, atMs }))?.at(-1)))
    return new Map(readings.flatMap((reading) => (reading === undefined ? [] : [[reading.id, reading] as const])))
  }

  for (const [position, command] of commands.entries()) {
    if (command.do === 'wait') {
      atMs += command.minutes * 60_000
      continue
    }
    const known = command.do === 'replay' ? steps[command.step % Math.max(1, steps.length)]?.request : undefined
    const request = known ?? requestFor(command, position, scopeIds, reservationIds, atMs)
    if (request === null) continue
    const isLatest = atMs >= latestMs
    latestMs = Math.max(latestMs, atMs)
    const before = await snapshot()
    const answer = await send(store, request)
    if (request.call === 'open' && (answer as OpenOutcome).kind === 'opened') remember(scopeIds, request.scopes)
    if (request.call === 'reserve' && !reservationIds.includes(request.reservationId)) {
      reservationIds.push(request.reservationId)
    }
    steps.push({ request, answer, before, after: await snapshot(), isReplay: known !== undefined, atMs, isLatest })
  }
  return steps
}

function remember(scopeIds: string[], scopes: readonly NewScope[]): void {
  for (const { id } of scopes) if (!scopeIds.includes(id)) scopeIds.push(id)
}

function requestFor(
  command: Command,
  position: number,
  scopeIds: readonly string[],
  reservationIds: readonly string[],
  atMs: number,
): Request | null {
  const scopeId = (choice: number): string | undefined => scopeIds[choice % Math.max(1, scopeIds.length)]
  const call = (choice: number): string | undefined => reservationIds[choice % Math.max(1, reservationIds.length)]
  const holder = (choice: number): string => HOLDERS[choice % HOLDERS.length]!
  switch (command.do) {
    case 'open': {
      const parentId = command.parent % 6 === 0 ? null : (scopeId(command.parent) ?? null)
      const scopes = Array.from({ length: parentId === null ? 1 : command.count }, (_, place) => ({
        id: `scope ${position}.${place}`,
        name: `scope ${position}.${place}`,
        kind: command.kind,
        owner: command.kind === 'agent' ? holder(command.parent) : null,
        limits: command.limits,
        ...holdOf(command.hold),
      }))
      return { call: 'open', parentId, scopes, ...(command.needs === null ? {} : { needs: command.needs }), atMs }
    }
    case 'reserve': {
      const id = scopeId(command.scope)
      if (id === undefined) return null
      const { patient, closing, elastic, messages } = command.how
      const rates = [
        { meter: 'tokens', numerator: 1, denominator: 1 },
        { meter: 'cost', numerator: 1_500, denominator: 1_000 },
      ] as const
      const least = Math.min(elastic, 3)
      return {
        call: 'reserve',
        reservationId: `call ${position}`,
        scopeId: id,
        amounts: command.amounts,
        ...(elastic > 0 ? { elastic: { least, enough: Math.min(elastic, 12), most: elastic, rates } } : {}),
        ...(messages > 0 ? { messages } : {}),
        patient,
        closing,
        holder: holder(command.holder),
        atMs,
      }
    }
    case 'settle': {
      const reservationId = call(command.call)
      if (reservationId === undefined) return null
      return { call: 'settle', reservationId, actual: command.actual, ...holdOf(command.hold), atMs }
    }
    case 'release': {
      const reservationId = call(command.call)
      return reservationId === undefined ? null : { call: 'release', reservationId, ...holdOf(command.hold), atMs }
    }
    case 'assume':
      return { call: 'assume', holder: holder(command.holder), atMs }
    case 'hold':
    case 'close':
    case 'setLimits': {
      const id = scopeId(command.scope)
      if (id === undefined) return null
      if (command.do === 'close') return { call: 'close', scopeId: id, status: command.status, atMs }
      if (command.do === 'hold') return { call: 'hold', scopeId: id, wanted: command.wanted, atMs }
      return { call: 'setLimits', scopeId: id, limits: command.limits, atMs }
    }
    default:
      return null
  }
}

/** Reserving again under an id that is finished is refused: an outcome like another, for a history. */
function conflictOf(error: unknown): { kind: 'conflict' } {
  if (isStintError(error, 'reservation_conflict')) return { kind: 'conflict' }
  throw error
}

function holdOf(wanted: Amounts | null): { hold?: HoldAsk } {
  return wanted === null ? {} : { hold: { wanted, smallest: { tokens: 2 } } }
}

async function send(store: LedgerStore, request: Request): Promise<unknown> {
  switch (request.call) {
    case 'open':
      return store.open(request)
    case 'close':
      return store.close(request)
    case 'reserve':
      return store.reserve(request).catch(conflictOf)
    case 'settle':
      return store.settle({ ...request, actual: request.actual as Reported })
    case 'release':
      return store.release(request)
    case 'assume':
      return store.assume(request)
    case 'hold': {
      const ask = holdOf(request.wanted).hold ?? null
      return store.hold({ scopeId: request.scopeId, ask, atMs: request.atMs })
    }
    case 'setLimits':
      return store.setLimits(request)
  }
}
