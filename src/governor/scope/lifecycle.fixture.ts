import type { Breaches } from '../../core/index.ts'
import type { Pause } from '../steering/pause.ts'
import { beginLife, type Fact, type Lifecycle } from './lifecycle.ts'

/** Two limits: one that halts, and one that pauses. */
export const HALTING = [{ key: 'halting', meter: 'toolCalls', action: 'terminate' }] as unknown as Breaches
export const PAUSING = [{ key: 'pausing', meter: 'cost', action: 'pause' }] as unknown as Breaches

const standing = { sinceMs: 100, loopEnds: false, conversation: null }
export const BY_PERSON: Pause = { ...standing, breaches: null, reason: 'lunch', request: null }
export const BY_LIMIT: Pause = { ...standing, breaches: PAUSING, reason: 'cost', request: null }
export const FOR_ANSWER: Pause = { ...standing, breaches: PAUSING, reason: 'more?', request: 'question' }
const FOR_OTHER: Pause = { ...FOR_ANSWER, request: 'other question' }

const paused = (pause: Pause): Fact => ({ kind: 'paused', pause, isReported: true })
const resumed = (isLifted: boolean): Fact => ({ kind: 'resumed', isLifted, isTold: true, by: 'ann' })
const mended = (breaches: Breaches): Fact => ({ kind: 'mended', isMended: ({ key }) => key === breaches[0].key })

/** What can happen to a scope: every kind of fact, in every variant that the tables distinguish. */
const FACTS_OF_KIND: { readonly [Kind in Fact['kind']]: Readonly<Record<string, Fact & { readonly kind: Kind }>> } = {
  begun: { begin: { kind: 'begun' } },
  paused: ofKind({ 'pause person': paused(BY_PERSON), 'pause limit': paused(BY_LIMIT), ask: paused(FOR_ANSWER) }),
  'asked-other': { 'ask other': { kind: 'asked-other', request: 'other question' } },
  resumed: ofKind({ resume: resumed(false), lift: resumed(true) }),
  claimed: { claim: { kind: 'claimed' } },
  halted: { 'halt H': { kind: 'halted', breaches: HALTING }, 'halt P': { kind: 'halted', breaches: PAUSING } },
  stopped: { 'stop H': { kind: 'stopped', breaches: HALTING }, 'stop P': { kind: 'stopped', breaches: PAUSING } },
  admitted: { admit: { kind: 'admitted' } },
  mended: ofKind({ 'mend H': mended(HALTING), 'mend P': mended(PAUSING) }),
  steered: { steer: { kind: 'steered' } },
  adopted: { adopt: { kind: 'adopted', holder: 'us' }, 'adopt again': { kind: 'adopted', holder: 'us (2)' } },
  'handed-over': { 'hand over': { kind: 'handed-over', owner: 'them' } },
  'owner-read': {
    'read them': { kind: 'owner-read', owner: 'them' },
    'read none': { kind: 'owner-read', owner: null },
  },
  left: { detach: { kind: 'left', status: 'detached' }, leave: { kind: 'left', status: 'paused' } },
  ended: { end: { kind: 'ended', status: 'stopped', reason: 'enough' } },
}

function ofKind<Kind extends Fact['kind']>(facts: Readonly<Record<string, Fact>>) {
  return facts as Readonly<Record<string, Fact & { readonly kind: Kind }>>
}

export const FACTS: Readonly<Record<string, Fact>> = Object.assign({}, ...Object.values(FACTS_OF_KIND))

type Standing = Pick<Lifecycle, 'status' | 'isOver' | 'pause' | 'lifted' | 'endReason'>
type Stops = Pick<Lifecycle, 'halt' | 'stoppedBy'>
type Owners = Pick<Lifecycle, 'isOwned' | 'owner'>

const running = { status: 'running', isOver: false, pause: null, lifted: null, endReason: null } as const
const stands = { ...running, status: 'paused' } as const
const over = { ...running, isOver: true } as const

/** A lifecycle is one of these, one of `STOPS` and one of `OWNERS`. */
export const STANDINGS: Readonly<Record<string, Standing>> = {
  queued: { ...running, status: 'queued' },
  running,
  person: { ...stands, pause: BY_PERSON },
  limit: { ...stands, pause: BY_LIMIT },
  asking: { ...stands, pause: FOR_ANSWER },
  'asking other': { ...stands, pause: FOR_OTHER },
  'lifted person': { ...running, lifted: BY_PERSON },
  'lifted limit': { ...running, lifted: BY_LIMIT },
  'lifted asking': { ...running, lifted: FOR_ANSWER },
  'lifted other': { ...running, lifted: FOR_OTHER },
  detached: { ...over, status: 'detached' },
  left: { ...over, status: 'paused' },
  ended: { ...over, status: 'stopped', endReason: 'enough' },
}

/** What halts it / what stopped its calls. */
export const STOPS: Readonly<Record<string, Stops>> = {
  '-/-': { halt: null, stoppedBy: null },
  '-/H': { halt: null, stoppedBy: HALTING },
  '-/P': { halt: null, stoppedBy: PAUSING },
  'H/-': { halt: HALTING, stoppedBy: null },
  'H/H': { halt: HALTING, stoppedBy: HALTING },
  'H/P': { halt: HALTING, stoppedBy: PAUSING },
  'P/-': { halt: PAUSING, stoppedBy: null },
  'P/H': { halt: PAUSING, stoppedBy: HALTING },
  'P/P': { halt: PAUSING, stoppedBy: PAUSING },
}

export const OWNERS: Readonly<Record<string, Owners>> = {
  ours: { isOwned: true, owner: 'us' },
  renamed: { isOwned: true, owner: 'us (2)' },
  theirs: { isOwned: false, owner: 'them' },
  lasting: { isOwned: false, owner: null },
}

/** A lifecycle by the names of its three parts. */
export function lifeIn(standing: string, stops: string, owners: string, moves = 0): Lifecycle {
  const life = { ...beginLife(OWNERS[owners]!), ...STANDINGS[standing]!, ...STOPS[stops]!, moves }
  return Object.freeze(life)
}

/** The rows and columns of a text table, by name. `.` means no change. */
export function readTable(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const columns = head!.slice(1)
  return new Map(
    rows.map(([name, ...cells]) => {
      if (cells.length !== columns.length) throw new Error(`The row of "${name}" has ${cells.length} cells.`)
      return [name!, new Map(columns.map((column, place) => [column, cells[place]!]))]
    }),
  )
}
