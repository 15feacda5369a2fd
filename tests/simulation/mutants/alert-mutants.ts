import type { Mutant } from './mutant.ts'

const CAUGHT = { caughtBy: 'src/stores/memory/memory-store.test.ts' } as const

/** Bugs of alerts: raised twice, never, or about something else. */
export const ALERT_MUTANTS: readonly Mutant[] = [
  {
    name: 'an alert about a rate is raised with every charge',
    in: 'countRate',
    find: 'watch.raised[rule.name] = atMs',
    replace: 'watch.raised[rule.name] = Number.NEGATIVE_INFINITY',
    ...CAUGHT,
  },
  {
    name: 'a rate is that of the agent, and not of its tree',
    in: 'watchRates',
    find: 'const root = scope.rootToSelf[0]!',
    replace: 'const root = scope',
    ...CAUGHT,
  },
  {
    name: 'a rate counts again what a correction leaves as it was',
    in: 'watchRates',
    find: 'charged[of.index]! - (before?.[of.index] ?? 0)',
    replace: 'charged[of.index]!',
    ...CAUGHT,
  },
  {
    name: 'what a dead process is charged is no part of a rate',
    in: 'assumeOpen',
    find: 'watchRates(ledger, record.scope, null, record.reserved, request.atMs)',
    replace: 'watchRates(ledger, record.scope, record.reserved, record.reserved, request.atMs)',
    ...CAUGHT,
  },
  {
    name: 'a rate never forgets',
    in: 'addToRate',
    find: 'rate.sums.length = Math.min(rate.sums.length, STEPS)',
    replace: 'rate.sums.length = Math.min(rate.sums.length, STEPS * STEPS)',
    caughtBy: 'src/core/alerts/rate.test.ts',
  },
  {
    name: 'after a clock went back, a rate stays in the future',
    in: 'addToRate',
    find: 'step <= rate.step - STEPS',
    replace: 'step <= 0',
    ...CAUGHT,
  },
  {
    name: 'an alert about a share is raised once for the life of a scope, whatever the limit becomes',
    in: 'crossingsAt',
    find: 'announced: { ...announced, nearing, exceeded }',
    replace: 'announced: { nearing, exceeded }',
    caughtBy: 'src/stores/memory/own-alerts.test.ts',
  },
  {
    name: 'a share is only looked at where a threshold is',
    in: 'announce',
    find: 'nextShareMark(rules, limit.max, announced.alerts ?? [])',
    replace: 'Number.POSITIVE_INFINITY',
    caughtBy: 'src/stores/memory/own-alerts.test.ts',
  },
  {
    name: 'an alert about time is raised each time that it is noted',
    in: 'watchTime',
    find: 'scope.watch.raised[rule.name] = max',
    replace: 'scope.watch.raised[rule.name] = max + 1',
    ...CAUGHT,
  },
  {
    name: 'a group that ends at a limit is counted as an agent',
    in: 'watchEnds',
    find: "scope.kind !== 'agent'",
    replace: "scope.kind === 'lasting'",
    ...CAUGHT,
  },
  {
    name: 'how many agents ended is not written',
    in: 'watchEnds',
    find: 'ledger.keep(ENDS_KEPT, watchText(watch))',
    replace: 'if (watch.rates.never !== undefined) ledger.keep(ENDS_KEPT, watchText(watch))',
    ...CAUGHT,
  },
  {
    name: 'a rate is not written with its tree',
    in: 'writeRowChanges',
    find: "write('touchScope', [scope.activeMs, scope.openChildren, change, scope.told, watchTextOf(scope), scope.id])",
    replace: "write('touchScope', [scope.activeMs, scope.openChildren, change, scope.told, null, scope.id])",
    caughtBy: 'tests/contract/sqlite-store.test.ts',
  },
]
