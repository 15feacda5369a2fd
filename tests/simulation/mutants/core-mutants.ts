import type { Mutant } from './mutant.ts'

/** Bugs in the rules themselves. */
export const CORE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a limit lets one more in',
    file: 'core/decide.ts',
    find: 'if (left >= 0 || !isEnforced(balance.limit.action)) return FITS',
    replace: 'if (left >= -1 || !isEnforced(balance.limit.action)) return FITS',
  },
  {
    name: 'the root of a path is not asked',
    file: 'core/decide.ts',
    find: 'for (let depth = 0; depth < rootToLeaf.length; depth++) {\n    const { limits }',
    replace:
      'for (let depth = Math.min(1, rootToLeaf.length - 1); depth < rootToLeaf.length; depth++) {\n    const { limits }',
  },
  {
    name: 'a limit with the action ask is not enforced',
    file: 'core/action.ts',
    find: "return action !== 'warn'",
    replace: "return action !== 'warn' && action !== 'ask'",
  },
  {
    name: 'what calls in flight have reserved is free for others',
    file: 'core/balance.ts',
    find: 'balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held',
    replace: 'balance.limit.max - balance.counter.settled - balance.held',
  },
  {
    name: 'work is paid from the holds',
    file: 'core/balance.ts',
    find: 'balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held',
    replace: 'balance.limit.max - balance.counter.settled - balance.counter.reserved',
  },
  {
    name: 'nobody waits for calls in flight',
    file: 'core/decide.ts',
    find: 'return CERTAIN[index] ? 0 : counter.reserved',
    replace: 'return CERTAIN[index] ? 0 : Math.min(0, counter.reserved)',
  },
  {
    name: 'counts in flight are waited for',
    file: 'core/decide.ts',
    find: 'return CERTAIN[index] ? 0 : counter.reserved',
    replace: 'return CERTAIN[index] ? counter.reserved : counter.reserved',
  },
  {
    name: 'a call is stretched beyond what the path can pay',
    file: 'core/decide.ts',
    find: 'if (now >= elastic.enough || ask.patient !== true) return { fits: true, units: now }',
    replace: 'if (now >= elastic.enough || ask.patient !== true) return { fits: true, units: elastic.most }',
  },
  {
    name: 'a limit that only warns cuts calls',
    file: 'core/decide.ts',
    find: 'if (rate === undefined || !isEnforced(balance.limit.action)) continue',
    replace: 'if (rate === undefined) continue',
  },
  {
    name: 'a hold takes a whole limit',
    file: 'core/hold.ts',
    find: 'const half = Math.floor(limit.max / 2)',
    replace: 'const half = limit.max',
  },
  {
    name: 'a hold takes room that calls in flight have reserved',
    file: 'core/hold.ts',
    find: 'limit.max - counter.settled - counter.reserved - others',
    replace: 'limit.max - counter.settled - others',
  },
  {
    name: 'unknown usage is free',
    file: 'core/reservation.ts',
    find: 'charged[index] = reserved[index]!',
    replace: 'charged[index] = 0',
  },
  {
    name: 'an answer without usage is free',
    file: 'core/reservation.ts',
    find: 'if (reported === null || reported === undefined) return { charged: reserved, anomalies: NO_ANOMALIES }',
    replace:
      'if (reported === null || reported === undefined) return { charged: reserved.map(() => 0), anomalies: NO_ANOMALIES }',
  },
  {
    name: 'what is settled again counts again',
    file: 'core/reservation.ts',
    find: "before[index] === charge[index]) ? 'duplicate' : 'conflict'",
    replace: "before[index] === charge[index]) ? 'correction' : 'correction'",
  },
  {
    name: 'a group is counted as one child',
    file: 'stores/ledger/open-scopes.ts',
    find: 'decideSpawn(path, { count: scopes.length, places: scopes.length + returning, level, needs })',
    replace: 'decideSpawn(path, { count: 1, places: 1, level, needs })',
  },
  {
    name: 'an hour has two hours',
    file: 'core/window.ts',
    find: 'const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS',
    replace: 'const startMs = Math.floor(atMs / (2 * HOUR_MS)) * 2 * HOUR_MS',
  },
  {
    name: 'more is approved than the scopes above have left',
    file: 'core/room-to-raise.ts',
    find: 'return Math.max(0, least(rootToLeaf.slice(0, -1)) - least(rootToLeaf.slice(-1)))',
    replace: 'return Math.max(0, least(rootToLeaf.slice(0, -1)))',
  },
]
