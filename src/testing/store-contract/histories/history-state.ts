import { type Amounts, balanceKey, type HoldAsk, type Limit, type OpenRequest } from '../../../core/index.ts'
import { madeUpHash } from '../contract-ledger.ts'
import type { HistoryCommand } from './history-command.ts'
import type { HistoryRequest } from './history-request.ts'

/** Everything that a history has created so far, and the current time. */
export interface HistoryState {
  readonly scopeIds: readonly string[]
  readonly atMs: number
  /** The store request of a command; `null` if there is nothing to apply it to. Waiting moves the clock. */
  requestFor(command: HistoryCommand): { readonly request: HistoryRequest; readonly isReplay: boolean } | null
  /** Records the answer. */
  heard(request: HistoryRequest, answer: unknown): void
}

const HOLDERS = ['first process', 'second process', 'third process'] as const

const RATES = [
  { meter: 'tokens', numerator: 1, denominator: 1 },
  { meter: 'cost', numerator: 1_500, denominator: 1_000 },
] as const

/** An empty state, on the evening before the clocks go back in Europe. */
export function createHistoryState(): HistoryState {
  const scopes = new Map<string, { readonly parentId: string | null; limits: readonly Limit[] }>()
  const reservationIds = new Set<string>()
  const questionIds = new Set<string>()
  const keyIds = new Set<string>()
  const requests: HistoryRequest[] = []
  const deaths = new Map<string, number>()
  let atMs = Date.UTC(2026, 9, 24, 20)

  function newRequest(command: HistoryCommand): HistoryRequest | null {
    const id = `${requests.length}`
    const scopeId = 'scope' in command ? pick([...scopes.keys()], command.scope) : undefined
    const about = { scopeId: scopeId ?? '', atMs }
    if ('scope' in command && scopeId === undefined) return null
    switch (command.do) {
      case 'open':
        return {
          call: 'open',
          ...openRequest(command, id, pick([...scopes.keys()], command.parent), holder(command.parent)),
          atMs,
        }
      case 'adopt': {
        const { parentId, limits } = scopes.get(about.scopeId)!
        const owner = holder(command.owner)
        const scope = { id: about.scopeId, name: about.scopeId, kind: 'agent', owner, limits } as const
        const takesOver = command.hold === null && command.owner % 2 === 1 ? { takesOver: true } : {}
        const more = { ...given({ ceilings: command.ceilings }), ...holdFor(command.hold), ...takesOver }
        return { call: 'open', parentId, scopes: [{ ...scope, ...more }], atMs }
      }
      case 'close':
        return { call: 'close', ...about, status: command.status, ...given({ activeMs: command.activeMs }) }
      case 'reserve': {
        const { patient, closing, elastic: most, messages, activeMs } = command.how
        const elastic = { least: Math.min(most, 3), enough: Math.min(most, 12), most, rates: RATES }
        const more = { ...(most > 0 ? { elastic } : {}), ...(messages > 0 ? { messages } : {}), ...given({ activeMs }) }
        const who = { reservationId: `call ${id}`, holder: holder(command.holder) }
        const talk = { ...given({ hold: command.closingCall }), ...(command.tentative ? { tentative: true } : {}) }
        return { call: 'reserve', ...who, ...about, amounts: command.amounts, patient, closing, ...more, ...talk }
      }
      case 'settle':
      case 'release': {
        const reservationId = pick([...reservationIds], command.call)
        if (reservationId === undefined) return null
        const end = { reservationId, ...holdFor(command.hold), atMs }
        if (command.do === 'release') return { call: 'release', ...end }
        return {
          call: 'settle',
          ...end,
          actual: command.actual,
          ...(command.assumed ? { assumed: true } : {}),
          ...given({ activeMs: command.activeMs }),
        }
      }
      case 'assume':
        return { call: 'assume', holder: holder(command.holder), ...given({ beats: command.beats }), atMs }
      case 'beat':
        return { call: 'beat', holder: holder(command.holder), atMs }
      case 'hold':
        return { call: 'hold', ...about, ask: holdFor(command.wanted).hold ?? null }
      case 'setLimits': {
        const { limits, expectedRevision } = command
        return { call: 'setLimits', ...about, limits, ...given({ expectedRevision }) }
      }
      case 'pause': {
        const { document, activeMs } = command
        const requestId = question(command.question)
        return { call: 'pause', ...about, reason: `pause ${id}`, ...given({ requestId, document, activeMs }) }
      }
      case 'resume': {
        const owner = command.owner === null ? null : holder(command.owner)
        const requestId = question(command.question)
        return { call: 'resume', ...about, ...given({ owner, requestId }), ...holdFor(command.hold) }
      }
      case 'note':
        return { call: 'note', ...about, ...given({ document: command.document, activeMs: command.activeMs }) }
      case 'ask': {
        const limit = pick(scopes.get(about.scopeId)!.limits, command.limit)
        if (limit === undefined) return null
        const key = balanceKey(about.scopeId, limit)
        const { asked } = command
        const ask = { key, settled: limit.max, asked, mayBeCut: asked % 2 === 0, reason: 'more to do' }
        return { call: 'ask', requestId: `question ${id}`, ...about, ...ask, expiresAtMs: atMs + 60_000 }
      }
      case 'answer': {
        const requestId = pick([...questionIds], command.question)
        if (requestId === undefined) return null
        const { verdict, amount } = command
        return { call: 'answer', requestId, verdict, by: `person ${id}`, ...given({ amount }), atMs }
      }
      case 'addKey': {
        const { name, expiresInMs, takesIdOf } = command
        const keyId = (takesIdOf === null ? undefined : pick([...keyIds], takesIdOf)) ?? `key ${id}`
        const expiresAtMs = expiresInMs === null ? null : atMs + expiresInMs
        const key = { keyId, hash: madeUpHash(`hash ${id}`), by: `person ${id}` }
        return { call: 'addKey', ...about, ...key, ...given({ name, expiresAtMs }) }
      }
      case 'revokeKey': {
        const keyId = pick([...keyIds], command.key)
        return keyId === undefined ? null : { call: 'revokeKey', keyId, by: `person ${id}`, atMs }
      }
      default:
        return null
    }
  }

  /** A process that was declared dead is restarted; now and then the old one continues instead. */
  function holder(choice: number): string {
    const name = pick(HOLDERS, choice)!
    const lives = deaths.get(name) ?? 0
    return lives === 0 || choice % 20 === 0 ? name : `${name}, ${lives}`
  }

  function question(choice: number | null): string | null {
    return choice === null ? null : (pick([...questionIds], choice) ?? 'never asked')
  }

  return {
    get scopeIds() {
      return [...scopes.keys()]
    },
    get atMs() {
      return atMs
    },
    requestFor(command) {
      if (command.do === 'wait') atMs += command.minutes * 60_000
      const known = command.do === 'replay' ? pick(requests, command.request) : undefined
      const request = known ?? newRequest(command)
      return request === null ? null : { request, isReplay: known !== undefined }
    },
    heard(request, answer) {
      requests.push(request)
      const kind = (answer as { readonly kind?: string } | undefined)?.kind
      // Only some of the failed ones, so that most later commands have an effect.
      const isSome = requests.length % 4 === 0
      if (request.call === 'reserve' && (kind === 'granted' || isSome)) reservationIds.add(request.reservationId)
      if (request.call === 'ask' && (kind === 'asked' || isSome)) questionIds.add(request.requestId)
      if (request.call === 'addKey' && (kind === 'added' || isSome)) keyIds.add(request.keyId)
      if (request.call === 'assume') {
        const [name = ''] = request.holder.split(', ')
        deaths.set(name, (deaths.get(name) ?? 0) + 1)
      }
      if (request.call === 'open' && kind === 'opened') {
        for (const { id, limits } of request.scopes) {
          if (!scopes.has(id)) scopes.set(id, { parentId: request.parentId, limits })
        }
      }
      if (request.call === 'setLimits' && kind === 'written') scopes.get(request.scopeId)!.limits = request.limits
    },
  }
}

function openRequest(
  command: HistoryCommand & { readonly do: 'open' },
  id: string,
  parent: string | undefined,
  process: string,
): Omit<OpenRequest, 'atMs'> {
  const { count, kind, limits, ceilings, labels, hold, needs } = command
  const parentId = command.parent % 6 === 0 ? null : (parent ?? null)
  const owner = kind === 'agent' ? process : null
  const scopes = Array.from({ length: parentId === null ? 1 : count }, (_, place) => {
    const name = `scope ${id}.${place}`
    return { id: name, name, kind, owner, limits, ...given({ ceilings, labels }), ...holdFor(hold) }
  })
  return { parentId, scopes, ...given({ needs }) }
}

function pick<Item>(items: readonly Item[], choice: number): Item | undefined {
  return items[choice % Math.max(1, items.length)]
}

function holdFor(wanted: Amounts | null): { hold?: HoldAsk } {
  return wanted === null ? {} : { hold: { wanted, smallest: { tokens: 2 } } }
}

/** Without `null` fields, which mean unset. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(said) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}
