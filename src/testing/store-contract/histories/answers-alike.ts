import { inspect, isDeepStrictEqual } from 'node:util'
import { assertKnownOptions, type LedgerStore, optionNames, type ReservationState } from '../../../core/index.ts'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { assertSubject, openPlain, type StoreUnderTest } from '../store-under-test.ts'
import { createDice } from './dice.ts'
import type { HistoryCommand } from './history-command.ts'
import { type HistoryRequest, sendRequest } from './history-request.ts'
import { createHistoryState } from './history-state.ts'
import { randomHistory } from './random-history.ts'
import { shortenHistory } from './shorten-history.ts'

export interface AnswersAlikeOptions {
  readonly histories: number
  /** The first seed; further histories use the following ones. Default: 1. */
  readonly firstSeed?: number
}

const OPTIONS = optionNames<AnswersAlikeOptions>({ histories: true, firstSeed: true })

/** What was compared: the number of steps, and how often each answer occurred, e.g. `reserve granted`. */
export interface ComparedHistories {
  readonly steps: number
  readonly answers: ReadonlyMap<string, number>
}

/**
 * Plays random histories on a store and on the memory store, which is the model, and throws if any answer, or anything
 * that can be read between two steps, differs. If the store supports it, steps are taken through two handles, and the
 * ledger is reopened now and then.
 */
export async function answersAlike(subject: StoreUnderTest, options: AnswersAlikeOptions): Promise<ComparedHistories> {
  assertKnownOptions('answersAlike', options, OPTIONS)
  assertSubject('answersAlike', subject)
  const { histories, firstSeed = 1 } = options
  const answers = new Map<string, number>()
  let steps = 0
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const turns = turnsOf(seed)
    const difference = await firstDifference(subject, turns, ({ call }, answer) => {
      const name = `${call} ${(answer as { readonly kind?: string } | undefined)?.kind ?? 'done'}`
      answers.set(name, (answers.get(name) ?? 0) + 1)
      steps++
    })
    if (difference === null) continue
    const shortest = await shortenHistory(turns, async (shorter) => (await firstDifference(subject, shorter)) !== null)
    throw new Error(describeDifference(seed, (await firstDifference(subject, shortest)) ?? difference))
  }
  return { steps, answers }
}

/** A command, and how the store under test gets it. */
interface Turn {
  readonly command: HistoryCommand
  readonly isSecond: boolean
  readonly reopens: boolean
}

interface Difference {
  readonly requests: readonly HistoryRequest[]
  readonly what: string
  readonly expected: unknown
  readonly actual: unknown
}

function turnsOf(seed: number): readonly Turn[] {
  const dice = createDice(-seed)
  return randomHistory(seed).map((command) => ({ command, isSecond: dice.oneIn(2), reopens: dice.oneIn(10) }))
}

async function firstDifference(
  subject: StoreUnderTest,
  turns: readonly Turn[],
  told: (request: HistoryRequest, answer: unknown) => void = () => {},
): Promise<Difference | null> {
  const model = createMemoryStore()
  const handles = await openPlain(subject)
  let { store } = handles
  const state = createHistoryState()
  const requests: HistoryRequest[] = []
  const polls = [await follow(model), await follow(store)] as const
  try {
    for (const { command, isSecond, reopens } of turns) {
      if (reopens && subject.reopen !== undefined) store = await subject.reopen(store)
      const next = state.requestFor(command)
      if (next === null) continue
      const { request } = next
      requests.push(request)
      const handle = isSecond && subject.second !== undefined ? handles.second : store
      const [expected, actual] = [await sendRequest(model, request), await answerOf(handle, request)]
      told(request, expected)
      state.heard(request, expected)
      if (!isDeepStrictEqual(actual, expected)) return { requests, what: 'the answer', expected, actual }
      const views = [await viewsOf(model, request, state.atMs), await viewsOf(store, request, state.atMs)] as const
      const heard = [await polls[0](model), await polls[1](store)] as const
      for (const [name, seen] of Object.entries({ ...views[0], poll: heard[0] })) {
        const found = { ...views[1], poll: heard[1] }[name]
        if (!isDeepStrictEqual(found, seen)) return { requests, what: name, expected: seen, actual: found }
      }
    }
    return null
  } finally {
    if (handles.second !== handles.store) await handles.second.dispose()
    await store.dispose()
  }
}

/** A correct store never throws here, but an error must be shown with the history that led to it. */
async function answerOf(store: LedgerStore, request: HistoryRequest): Promise<unknown> {
  try {
    return await sendRequest(store, request)
  } catch (error) {
    return { thrown: error }
  }
}

const STATES: readonly ReservationState[] = ['open', 'settled', 'released', 'assumed']

/** Everything that can be read from a ledger, knowing only the last request. */
async function viewsOf(store: LedgerStore, request: HistoryRequest, atMs: number): Promise<Record<string, unknown>> {
  const scopeId = 'scopeId' in request ? request.scopeId : ''
  const hash = 'hash' in request ? request.hash : ''
  const [
    list,
    open,
    count,
    found,
    started,
    requests,
    keys,
    keysOfScope,
    keyByHash,
    holders,
    document,
    path,
    denials,
    ended,
    history,
    ...reservations
  ] = await Promise.all([
    store.list({ standing: 'all', atMs }),
    store.list({ standing: 'open', most: 3, atMs }),
    store.count({ standing: 'ended' }),
    store.list({ standing: 'all', path: scopeId, atMs }),
    store.list({ standing: 'open', idPrefix: scopeId.slice(0, 3), atMs }),
    store.requests({}),
    store.keys({}),
    store.keys({ scopeId, most: 2 }),
    store.keyByHash({ hash }),
    store.holders(),
    store.document({ scopeId }),
    store.read({ scopeId, atMs }),
    store.denials({ scopeId }).catch(() => null),
    store.list({ standing: 'ended', endedSinceMs: 0, atMs }),
    historyOf(store, scopeId, atMs),
    ...STATES.map((state) => store.reservations({ state })),
  ])
  const keyViews = { keys, 'keys of the scope': keysOfScope, 'key by hash': keyByHash }
  const lookups = { count, 'scopes with the path': found, 'scopes with the start of the id': started }
  return {
    list,
    'list of 3 that are open': open,
    ...lookups,
    requests,
    ...keyViews,
    holders,
    document,
    path,
    denials,
    'list of those that ended': ended,
    history,
    reservations,
  }
}

/** What happened in the tree of a scope, from both ends. Each step adds a few entries, so all of them are compared once. */
async function historyOf(store: LedgerStore, scopeId: string, atMs: number): Promise<unknown> {
  const pages = [
    { most: 8, latest: true },
    { since: 2, most: 2 },
  ] as const
  return Promise.all(pages.map((page) => store.history({ scopeId, atMs, ...page }).catch(() => null)))
}

/** The scopes steered since the last poll, in any order. */
async function follow(store: LedgerStore): Promise<(store: LedgerStore) => Promise<readonly string[] | null>> {
  let since = (await store.poll({ since: null })).cursor
  return async (handle) => {
    const { cursor, steered } = await handle.poll({ since })
    since = cursor
    return steered?.toSorted() ?? null
  }
}

function describeDifference(seed: number, { requests, what, expected, actual }: Difference): string {
  const show = (value: unknown): string => inspect(value, { depth: 8, breakLength: 120 })
  return [
    `The history of seed ${seed} differs from the memory store’s in ${what}, after these requests:`,
    ...requests.map((request) => `  ${JSON.stringify(request)}`),
    `expected: ${show(expected)}`,
    `actual: ${show(actual)}`,
  ].join('\n')
}
