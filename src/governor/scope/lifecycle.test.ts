import { describe, expect, it } from 'vitest'
import {
  BY_LIMIT,
  BY_PERSON,
  FACTS,
  FOR_ANSWER,
  HALTING,
  lifeIn,
  OWNERS,
  PAUSING,
  readTable,
  STANDINGS,
  STOPS,
} from './lifecycle.fixture.ts'
import { beginLife, type Lifecycle, reduce, statusAfter, statusAtEnd } from './lifecycle.ts'

// Rows are states, columns are facts; a cell is the state that follows, and "." where it stays the same.
const STANDING_TABLE = readTable(`
                | begin   | pause person | pause limit | ask    | ask other    | resume  | lift          | claim   | detach   | leave | end
  queued        | running | person       | limit       | asking | .            | .       | .             | .       | detached | left  | ended
  running       | .       | person       | limit       | asking | .            | .       | .             | .       | detached | left  | ended
  person        | .       | .            | .           | .      | .            | running | lifted person | .       | detached | left  | ended
  limit         | .       | .            | .           | .      | .            | running | lifted limit  | .       | detached | left  | ended
  asking        | .       | person       | limit       | .      | asking other | running | lifted asking | .       | detached | left  | ended
  asking other  | .       | person       | limit       | .      | .            | running | lifted other  | .       | detached | left  | ended
  lifted person | .       | person       | limit       | asking | .            | .       | .             | running | detached | left  | ended
  lifted limit  | .       | person       | limit       | asking | .            | .       | .             | running | detached | left  | ended
  lifted asking | .       | person       | limit       | asking | .            | .       | .             | running | detached | left  | ended
  lifted other  | .       | person       | limit       | asking | .            | .       | .             | running | detached | left  | ended
  detached      | .       | .            | .           | .      | .            | .       | .             | .       | .        | .     | .
  left          | .       | .            | .           | .      | .            | .       | .             | .       | .        | .     | .
  ended         | .       | .            | .           | .      | .            | .       | .             | .       | .        | .     | .
`)

// The limit that halts it / the limit that stopped its calls: H halts, P pauses. "resume" and "lift" are of a pause by
// P.
const STOPS_TABLE = readTable(`
      | halt H | halt P | stop H | stop P | admit | mend H | mend P | resume | lift
  -/- | H/-    | P/-    | -/H    | -/P    | .     | .      | .      | .      | .
  -/H | H/H    | P/H    | .      | .      | -/-   | -/-    | .      | .      | .
  -/P | H/P    | P/P    | .      | .      | -/-   | .      | -/-    | -/-    | -/-
  H/- | .      | .      | H/H    | H/P    | .     | -/-    | .      | .      | .
  H/H | .      | .      | .      | .      | H/-   | -/-    | .      | .      | .
  H/P | .      | .      | .      | .      | H/-   | -/P    | .      | H/-    | H/-
  P/- | .      | .      | P/H    | P/P    | .     | .      | -/-    | .      | .
  P/H | .      | .      | .      | .      | P/-   | .      | -/H    | .      | .
  P/P | .      | .      | .      | .      | P/-   | .      | -/-    | P/-    | P/-
`)

const OWNERS_TABLE = readTable(`
          | adopt | adopt again | hand over | read them | read none
  ours    | .     | renamed     | theirs    | .         | .
  renamed | ours  | .           | theirs    | .         | .
  theirs  | ours  | renamed     | .         | .         | lasting
  lasting | ours  | renamed     | theirs    | theirs    | .
`)

/** Anything read from the store before one of these facts is out of date, even if nothing else changes. */
const MOVES = ['pause person', 'pause limit', 'ask', 'resume', 'lift', 'steer', 'adopt', 'adopt again', 'hand over']

const TABLES = [
  { table: STANDING_TABLE, states: STANDINGS },
  { table: STOPS_TABLE, states: STOPS },
  { table: OWNERS_TABLE, states: OWNERS },
]

/** The next state by a table; a fact that isn't in the table changes nothing. */
function next(table: typeof STANDING_TABLE, state: string, fact: string): string {
  const cell = table.get(state)?.get(fact) ?? '.'
  return cell === '.' ? state : cell
}

/** The expected state after a fact, by the tables. */
function expected(standing: string, stops: string, owners: string, fact: string): Lifecycle {
  const { isOver, pause } = STANDINGS[standing]!
  if (isOver) return lifeIn(standing, stops, owners)
  const isResume = fact === 'resume' || fact === 'lift'
  const moves = MOVES.includes(fact) && !(isResume && pause === null) ? 1 : 0
  return lifeIn(
    next(STANDING_TABLE, standing, fact),
    isResume && pause?.breaches !== PAUSING ? stops : next(STOPS_TABLE, stops, fact),
    next(OWNERS_TABLE, owners, fact),
    moves,
  )
}

const ALL = Object.keys(STANDINGS).flatMap((standing) =>
  Object.keys(STOPS).flatMap((stops) => Object.keys(OWNERS).map((owners) => ({ standing, stops, owners }))),
)

/** Every lifecycle that facts can lead to from an initial one, ignoring the number of moves. */
function reachable(): ReadonlySet<string> {
  const keyOf = (life: Lifecycle): string => JSON.stringify({ ...life, moves: 0 })
  const begun = Object.values(OWNERS).flatMap((owners) => [beginLife(owners), beginLife(owners, true)])
  const found = new Map(begun.map((life) => [keyOf(life), life]))
  for (const life of found.values()) {
    for (const fact of Object.values(FACTS)) {
      const after = reduce(life, fact)
      if (!found.has(keyOf(after))) found.set(keyOf(after), after)
    }
  }
  return new Set(found.keys())
}

describe('the life of a scope', () => {
  it('has a cell for every state and every fact', () => {
    for (const { table, states } of TABLES) {
      expect([...table.keys()]).toEqual(Object.keys(states))
      for (const row of table.values()) {
        expect(Object.keys(FACTS)).toEqual(expect.arrayContaining([...row.keys()]))
        for (const cell of row.values()) expect([...Object.keys(states), '.']).toContain(cell)
      }
    }
    const columns = TABLES.flatMap(({ table }) => [...table.values()].flatMap((row) => [...row.keys()]))
    expect(new Set([...columns, ...MOVES])).toEqual(new Set(Object.keys(FACTS)))
  })

  it('can reach exactly the states of the tables', () => {
    const named = ALL.map(({ standing, stops, owners }) => JSON.stringify(lifeIn(standing, stops, owners)))
    expect(reachable()).toEqual(new Set(named))
  })

  it.each(Object.keys(FACTS))('changes from every state as the tables say: %s', (name) => {
    for (const { standing, stops, owners } of ALL) {
      const life = lifeIn(standing, stops, owners)
      const after = reduce(life, FACTS[name]!)
      const wanted = expected(standing, stops, owners, name)
      expect(after, `${standing}, ${stops}, ${owners}`).toEqual(wanted)
      // No new object if nothing changes: this runs with every call.
      if (JSON.stringify(wanted) === JSON.stringify(life)) expect(after).toBe(life)
    }
  })

  it('keeps the first pause with the last conversation, and a loop that has ended stays ended', () => {
    const first = reduce(lifeIn('limit', '-/-', 'ours'), FACTS['pause person']!)
    const pause = { ...BY_PERSON, conversation: ['hello'], loopEnds: true, sinceMs: 200 }
    const second = reduce(first, { kind: 'paused', pause, isReported: false })
    const third = reduce(second, FACTS['pause limit']!)
    expect(third.pause).toEqual({ ...BY_LIMIT, conversation: ['hello'], loopEnds: true })
    expect(third.moves).toBe(3)
  })

  it('is paused since its request was made, even if a manual pause outlasts it', () => {
    const asking = lifeIn('asking', '-/-', 'ours')
    const { pause } = reduce(asking, { kind: 'paused', pause: { ...BY_PERSON, sinceMs: 200 }, isReported: false })
    expect(pause).toEqual({ ...BY_PERSON, sinceMs: FOR_ANSWER.sinceMs })
  })

  it('keeps a request that its loops end with, whatever pauses it after that', () => {
    const unattended = { ...FOR_ANSWER, loopEnds: true }
    const asking = reduce(lifeIn('running', '-/-', 'ours'), { kind: 'paused', pause: unattended, isReported: false })
    const left = { ...BY_PERSON, conversation: ['hello'], loopEnds: true }
    expect(reduce(asking, { kind: 'paused', pause: left, isReported: false }).pause).toEqual({
      ...unattended,
      conversation: ['hello'],
    })
  })

  it('ends as what halted it says, then what stopped its calls, and otherwise well', () => {
    const wallTime = [{ ...HALTING[0], meter: 'wallTime' }] as typeof HALTING
    const ends = [
      statusAtEnd(lifeIn('running', '-/-', 'ours')),
      statusAtEnd(lifeIn('running', 'H/P', 'ours')),
      statusAtEnd({ ...lifeIn('running', '-/H', 'ours'), halt: wallTime }),
    ]
    expect(ends).toEqual(['completed', 'limit-reached', 'timed-out'])
    // A scope that a limit only paused ends with the given status; one that a limit halted doesn't, unless its work is
    // done.
    expect(statusAfter(lifeIn('running', '-/P', 'ours'), 'failed', false)).toBe('failed')
    expect(statusAfter(lifeIn('running', '-/H', 'ours'), 'failed', false)).toBe('limit-reached')
    expect(statusAfter(lifeIn('running', 'H/H', 'ours'), 'failed', true)).toBe('limit-reached')
    expect(statusAfter(lifeIn('running', 'H/H', 'ours'), 'completed', true)).toBe('completed')
  })
})
