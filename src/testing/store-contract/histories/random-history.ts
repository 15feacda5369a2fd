import {
  type Action,
  type Amounts,
  type CounterMeter,
  type EndStatus,
  type Limit,
  limitKey,
  type Period,
  type ReserveHold,
  type ScopeKind,
} from '../../../core/index.ts'
import { createDice, type Dice } from './dice.ts'
import type { HistoryCommand, Reported } from './history-command.ts'

const METERS = ['toolCalls', 'tokens', 'cost', 'executionCost'] as const satisfies readonly CounterMeter[]
const UNCOUNTED = ['concurrency', 'depth', 'messages'] as const
const LIMITED = [...METERS, ...METERS, 'spawns', ...UNCOUNTED] as const
const PERIODS: readonly (Period | null)[] = [null, null, null, 'hour', 'day', 'week', 'month']
const ACTIONS: readonly Action[] = ['terminate', 'terminate', 'pause', 'ask', 'warn']
const NEARING: readonly (readonly number[])[] = [[], [0.8], [0.5, 0.95]]
const KINDS: readonly ScopeKind[] = ['agent', 'agent', 'agent', 'group', 'lasting']
const ENDS: readonly EndStatus[] = ['completed', 'stopped', 'limit-reached', 'timed-out', 'failed']
const NONSENSE: readonly unknown[] = [-1, Number.NaN, '7', 2 ** 53, 0.5, Number.POSITIVE_INFINITY, null, {}]
const TEXTS = ['', 'a conversation', '{"it’s":"\\u0000 😀"}']
const SHORTEST = 10
const LONGEST = 80
const KEY_ODDS = 12
const KEY_SEEDS = 1_000_000
const CEILING_SEEDS = 2_000_000
const HOLDER_ODDS = 30
const HOLDER_SEEDS = 3_000_000
const GUESS_ODDS = 4
const GUESS_SEEDS = 4_000_000
const TALK_ODDS = 2
const TALK_SEEDS = 5_000_000
const GROWTH = [
  { meter: 'tokens', numerator: 1, denominator: 2 },
  { meter: 'cost', numerator: 2, denominator: 3 },
] as const

/** A random history: a growing tree, calls, clock steps, and repeated requests. */
export function randomHistory(seed: number): readonly HistoryCommand[] {
  const dice = createDice(seed)
  const keyDice = createDice(seed + KEY_SEEDS)
  const ceilingDice = createDice(seed + CEILING_SEEDS)
  // Separate dice, so that the rest of a seed's history stays the same.
  const guessDice = createDice(seed + GUESS_SEEDS)
  const talkDice = createDice(seed + TALK_SEEDS)
  const history = Array.from({ length: dice.between(SHORTEST, LONGEST) }, () => dice.oneOf(COMMANDS)(dice))
  const bounded = history.map((command) => {
    if (command.do === 'reserve') return withTalk(talkDice, command)
    if (command.do === 'settle') return { ...command, assumed: guessDice.oneIn(GUESS_ODDS) }
    return 'ceilings' in command ? { ...command, ceilings: ceilingsOrNot(ceilingDice) } : command
  })
  const beside = bounded.flatMap((command) =>
    keyDice.oneIn(KEY_ODDS) ? [command, keyDice.oneOf(KEY_COMMANDS)(keyDice)] : [command],
  )
  const holderDice = createDice(seed + HOLDER_SEEDS)
  return beside.flatMap((command) =>
    holderDice.oneIn(HOLDER_ODDS) ? [command, holderDice.oneOf(HOLDER_COMMANDS)(holderDice)] : [command],
  )
}

type MakeCommand = (dice: Dice) => HistoryCommand

/** The relative frequency of each command. */
const COMMANDS: readonly MakeCommand[] = [
  ...times(4, (dice) => ({
    do: 'open',
    parent: choice(dice),
    limits: someLimits(dice),
    ceilings: null,
    count: dice.oneOf([1, 1, 1, 2, 3]),
    kind: dice.oneOf(KINDS),
    needs: dice.oneIn(4) ? someAmounts(dice) : null,
    hold: holdOrNot(dice),
    labels: dice.oneIn(4) ? { task: dice.oneOf(TEXTS) } : null,
  })),
  ...times(1, (dice) => ({
    do: 'adopt',
    scope: choice(dice),
    owner: choice(dice),
    ceilings: null,
    hold: holdOrNot(dice),
  })),
  ...times(1, (dice) => ({
    do: 'close',
    scope: choice(dice),
    status: dice.oneOf(ENDS),
    activeMs: activeOrNot(dice),
  })),
  ...times(12, (dice) => ({
    do: 'reserve',
    scope: choice(dice),
    amounts: someAmounts(dice),
    holder: choice(dice),
    how: {
      patient: dice.oneIn(2),
      closing: dice.oneIn(4),
      elastic: dice.oneOf([0, 0, 1, 20, 60]),
      messages: dice.oneOf([0, 0, 1, 30, 60]),
      activeMs: activeOrNot(dice),
    },
    closingCall: null,
    tentative: false,
  })),
  ...times(9, (dice) => ({
    do: 'settle',
    call: choice(dice),
    actual: someReport(dice),
    assumed: false,
    hold: holdOrNot(dice),
    activeMs: activeOrNot(dice),
  })),
  ...times(2, (dice) => ({ do: 'release', call: choice(dice), hold: holdOrNot(dice) })),
  ...times(3, (dice) => ({ do: 'replay', request: choice(dice) })),
  ...times(1, (dice) => ({ do: 'assume', holder: choice(dice), beats: null })),
  ...times(3, (dice) => ({ do: 'hold', scope: choice(dice), wanted: holdOrNot(dice) })),
  ...times(2, (dice) => ({
    do: 'setLimits',
    scope: choice(dice),
    limits: someLimits(dice),
    expectedRevision: dice.oneIn(3) ? dice.between(1, 3) : null,
  })),
  ...times(2, (dice) => ({
    do: 'pause',
    scope: choice(dice),
    question: dice.oneIn(2) ? choice(dice) : null,
    document: dice.oneIn(2) ? dice.oneOf(TEXTS) : null,
    activeMs: activeOrNot(dice),
  })),
  ...times(3, (dice) => ({
    do: 'resume',
    scope: choice(dice),
    owner: dice.oneIn(2) ? choice(dice) : null,
    question: dice.oneIn(4) ? choice(dice) : null,
    hold: holdOrNot(dice),
  })),
  ...times(1, (dice) => ({
    do: 'note',
    scope: choice(dice),
    document: dice.oneIn(2) ? dice.oneOf(TEXTS) : null,
    activeMs: activeOrNot(dice),
  })),
  ...times(2, (dice) => ({ do: 'ask', scope: choice(dice), limit: choice(dice), asked: dice.between(1, 60) })),
  ...times(2, (dice) => ({
    do: 'answer',
    question: choice(dice),
    verdict: dice.oneOf(['approved', 'approved', 'denied', 'expired']),
    amount: dice.oneIn(2) ? dice.between(1, 40) : null,
  })),
  ...times(2, (dice) => ({ do: 'wait', minutes: dice.between(-30, 1_500) })),
]

/** Key commands are inserted in between: they don't affect the others. */
const KEY_COMMANDS: readonly MakeCommand[] = [
  ...times(2, (dice) => ({
    do: 'addKey',
    scope: choice(dice),
    name: dice.oneIn(2) ? dice.oneOf(['ci', 'laptop “1” 😀']) : null,
    expiresInMs: dice.oneIn(2) ? dice.between(0, 86_400_000) : null,
    takesIdOf: dice.oneIn(4) ? choice(dice) : null,
  })),
  ...times(1, (dice) => ({ do: 'revokeKey', key: choice(dice) })),
]

/** Heartbeats, and declarations of death by a process that has counted them. */
const HOLDER_COMMANDS: readonly MakeCommand[] = [
  ...times(3, (dice) => ({ do: 'beat', holder: choice(dice) })),
  ...times(1, (dice) => ({ do: 'assume', holder: choice(dice), beats: dice.between(0, 2) })),
]

function times(count: number, make: MakeCommand): readonly MakeCommand[] {
  return Array(count).fill(make)
}

function choice(dice: Dice): number {
  return dice.below(1_000)
}

function someLimits(dice: Dice): readonly Limit[] {
  const limits = new Map<string, Limit>()
  for (let count = dice.between(0, 4); count > 0; count--) {
    const limit = someLimit(dice)
    limits.set(limitKey(limit), limit)
  }
  return [...limits.values()]
}

function ceilingsOrNot(dice: Dice): readonly Limit[] | null {
  if (!dice.oneIn(3)) return null
  const ceilings = someLimits(dice).map(
    (limit): Limit => ({ ...limit, source: { layer: 'ceiling', written: 'a test' } }),
  )
  return [...new Map(ceilings.map((ceiling) => [limitKey(ceiling), ceiling])).values()]
}

function someLimit(dice: Dice): Limit {
  const meter = dice.oneOf(LIMITED)
  const isCounter = !(UNCOUNTED as readonly string[]).includes(meter)
  return {
    meter,
    max: dice.between(0, 60),
    per: isCounter ? dice.oneOf(PERIODS) : null,
    timeZone: dice.oneOf(['Europe/Berlin', 'America/New_York']),
    action: dice.oneOf(ACTIONS),
    nearing: dice.oneOf(NEARING),
    source: { layer: dice.oneOf(['call', 'call', 'ceiling']), written: meter },
  }
}

function someAmounts(dice: Dice): Amounts {
  return Object.fromEntries(Array.from({ length: dice.between(1, 4) }, () => [dice.oneOf(METERS), dice.between(0, 25)]))
}

function holdOrNot(dice: Dice): Amounts | null {
  return dice.oneIn(2) ? someAmounts(dice) : null
}

type Reserve = HistoryCommand & { readonly do: 'reserve' }

/** Adds the conversation of a call. Conversations are short, so that several fit under a limit. */
function withTalk(dice: Dice, command: Reserve): Reserve {
  const tentative = dice.oneIn(4)
  if (!dice.oneIn(TALK_ODDS)) return { ...command, tentative }
  const amounts = { ...command.amounts, tokens: dice.between(1, 5), cost: dice.between(1, 5) }
  return { ...command, amounts, closingCall: someClosingCall(dice), tentative }
}

function someClosingCall(dice: Dice): ReserveHold {
  const smallest = Object.fromEntries(
    METERS.flatMap((meter) => (dice.oneIn(4) ? [] : [[meter, dice.between(1, meter === 'toolCalls' ? 2 : 8)]])),
  )
  const wanted = Object.fromEntries(
    Object.entries(smallest).map(([meter, amount]) => [meter, amount + dice.oneOf([0, 0, 3, 12])]),
  )
  const growth = GROWTH.filter(({ meter }) => smallest[meter] !== undefined && dice.oneIn(2))
  return { wanted, smallest, likely: someAmounts(dice), growth, isFirst: dice.oneIn(2) }
}

function activeOrNot(dice: Dice): number | null {
  return dice.oneIn(4) ? dice.between(0, 1_000) : null
}

function someReport(dice: Dice): Reported {
  if (dice.oneIn(5)) return null
  if (!dice.oneIn(4)) return someAmounts(dice)
  const value = (): unknown => (dice.oneIn(2) ? dice.oneOf(NONSENSE) : dice.between(0, 50))
  return Object.fromEntries(Array.from({ length: dice.between(0, 4) }, () => [dice.oneOf(METERS), value()]))
}
