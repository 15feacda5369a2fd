import type { Mutant } from './mutant.ts'

/** Bugs in the rules themselves. */
export const CORE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a limit lets one more in',
    in: 'roomFor',
    find: 'freeOn(balance) >= asks[index]!',
    replace: 'freeOn(balance) >= asks[index]! - 1',
  },
  {
    name: 'a limit lets one more call of a conversation in',
    in: 'roomFor',
    find: '(left >= 0 && !crowded) || !isEnforced(balance.limit.action)',
    replace: '(left >= -1 && !crowded) || !isEnforced(balance.limit.action)',
  },
  {
    name: 'the root of a path is not asked',
    in: 'decide',
    find: 'for (let depth = 0; depth < rootToLeaf.length; depth++) {\n    const { limits }',
    replace:
      'for (let depth = Math.min(1, rootToLeaf.length - 1); depth < rootToLeaf.length; depth++) {\n    const { limits }',
  },
  {
    name: 'a limit with the action ask is not enforced',
    in: 'isEnforced',
    find: "return action !== 'warn'",
    replace: "return action !== 'warn' && action !== 'ask'",
  },
  {
    name: 'what calls in flight have reserved is free for others',
    in: 'freeOn',
    find: 'balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held',
    replace: 'balance.limit.max - balance.counter.settled - balance.held',
  },
  {
    name: 'work is paid from the holds',
    in: 'freeOn',
    find: 'balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held',
    replace: 'balance.limit.max - balance.counter.settled - balance.counter.reserved',
  },
  {
    name: 'nobody waits for calls in flight',
    in: 'mayComeFree',
    find: 'return CERTAIN[index] ? 0 : counter.reserved',
    replace: 'return CERTAIN[index] ? 0 : Math.min(0, counter.reserved)',
  },
  {
    name: 'counts in flight are waited for',
    in: 'mayComeFree',
    find: 'return CERTAIN[index] ? 0 : counter.reserved',
    replace: 'return CERTAIN[index] ? counter.reserved : counter.reserved',
  },
  {
    name: 'a call is stretched beyond what the path can pay',
    in: 'stretch',
    find: "if (now >= elastic.enough || ask.patient !== true) return { kind: 'fits', units: now }",
    replace: "if (now >= elastic.enough || ask.patient !== true) return { kind: 'fits', units: elastic.most }",
  },
  {
    name: 'a free model is cut to nothing by an overdrawn cost limit',
    in: 'unitsWithin',
    find: 'if (rate.numerator === 0) return most',
    replace: 'if (rate.numerator === 0) return room < 0 ? 0 : most',
    caughtBy: 'src/governor/calls/call-model.test.ts',
  },
  {
    name: 'a limit that only warns cuts calls',
    in: 'payableUnits',
    find: 'rate.meter !== balance.limit.meter || !isEnforced(balance.limit.action)',
    replace: 'rate.meter !== balance.limit.meter',
  },
  {
    name: 'a hold takes a whole limit on a count',
    in: 'holdWithin',
    find: 'const half = halfOf(limit.max)',
    replace: 'const half = limit.max',
  },
  {
    name: 'a hold takes room that calls in flight have reserved',
    in: 'holdWithin',
    find: 'limit.max - counter.settled - counter.reserved - others',
    replace: 'limit.max - counter.settled - others',
  },
  {
    name: 'a call leaves nothing for the smallest closing call',
    in: 'neededOn',
    find: 'const worst = asked + smallest',
    replace: 'const worst = asked',
  },
  {
    name: 'the hold of another conversation is taken for one’s own',
    in: 'freeFor',
    find: 'freeOn(balance) + ownHold(closing.own, balance.key)',
    replace: 'freeOn(balance) + balance.held',
  },
  {
    name: 'a conversation is refused what it holds itself',
    in: 'freeFor',
    find: 'freeOn(balance) + ownHold(closing.own, balance.key)',
    replace: 'freeOn(balance)',
  },
  {
    name: 'the hold does not grow with the answer that was granted',
    in: 'grownHold',
    find: 'if (units <= 0) return',
    replace: 'if (units !== -1) return',
  },
  {
    name: 'a call is stretched over what its closing call takes more after a long answer',
    in: 'unitsBeside',
    find: 'growth === undefined || !endsInClosingCall(balance.limit.action)',
    replace: 'true',
  },
  {
    name: 'conversations are let in beyond the half of a limit',
    in: 'isCrowded',
    find: 'others + closing.smallest[balance.index]! > halfOf(balance.limit.max)',
    replace: 'others + closing.smallest[balance.index]! > balance.limit.max',
  },
  {
    name: 'unknown usage is free',
    in: 'chargeFor',
    find: 'charged[index] = reserved[index]!',
    replace: 'charged[index] = 0',
  },
  {
    name: 'an answer without usage is free',
    in: 'chargeFor',
    find: 'if (reported === null || reported === undefined) return { charged: reserved, anomalies: NO_ANOMALIES }',
    replace:
      'if (reported === null || reported === undefined) return { charged: reserved.map(() => 0), anomalies: NO_ANOMALIES }',
  },
  {
    name: 'what is settled again counts again',
    in: 'transitionTo',
    find: "return isSame ? 'duplicate' : 'conflict'",
    replace: "return isSame ? 'correction' : 'correction'",
  },
  {
    name: 'a group is counted as one child',
    in: 'admit',
    find: 'decideSpawn(path, { count: begun.length, spawns, places, level, needs, promised })',
    replace: 'decideSpawn(path, { count: 1, places: 1, level, needs })',
  },
  {
    name: 'an hour has two hours',
    in: 'windowAt',
    find: 'const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS',
    replace: 'const startMs = Math.floor(atMs / (2 * HOUR_MS)) * 2 * HOUR_MS',
  },
  {
    name: 'a request for more asks for one call',
    in: 'increaseFor',
    find: 'Math.max(least, Math.ceil(limit / SHARE_OF_LIMIT), missing)',
    replace: 'Math.max(1, missing)',
    caughtBy: 'src/core/decide/increase-for.test.ts',
  },
  {
    name: 'more is approved than the scopes above have left',
    in: 'roomToRaise',
    find: 'return Math.max(0, least(rootToLeaf.slice(0, -1)) - least(rootToLeaf.slice(-1)))',
    replace: 'return Math.max(0, least(rootToLeaf.slice(0, -1)))',
  },
  {
    name: 'a cost that is reserved by hand counts on no phase',
    in: 'reserveInPhase',
    find: 'return { ...amounts, executionCost: cost - planningCost }',
    replace: 'return amounts',
  },
  {
    name: 'a cost that was planned is charged as execution',
    in: 'reportInPhase',
    find: '(reserved.planningCost ?? 0) === 0',
    replace: '(reserved.planningCost ?? 0) >= 0',
  },
  {
    name: 'half of a character is taken for text that a ledger can keep',
    in: 'isStorableText',
    find: "text.isWellFormed() && !text.includes('\\0')",
    replace: "!text.includes('\\0')",
    caughtBy: 'src/core/checks/storable-text.test.ts',
  },
]
