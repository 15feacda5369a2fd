import type { Mutant } from './mutant.ts'

/** Bugs of what a ledger remembers: events, their numbers, and refusals. */
export const HISTORY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a number of the history is skipped',
    in: 'nextNumber',
    find: 'return ++root.told',
    replace: 'root.told += 2\n  return root.told',
  },
  {
    name: 'an event is stored twice',
    in: 'recordEvent',
    find: 'ledger.history?.add(scope, { number: nextNumber(scope), atMs, draft })',
    replace:
      'for (const each of [draft, draft]) ledger.history?.add(scope, { number: nextNumber(scope), atMs, draft: each })',
  },
  {
    name: 'an event is written after the transaction that makes it true',
    in: 'event',
    find: 'changed.events.add({ ...event, scope })',
    replace: 'queueMicrotask(() => changed.events.add({ ...event, scope }))',
    caughtBy: 'src/stores/sqlite/verify/verify-ledger.test.ts',
  },
  {
    name: 'what a call used is left out of the chain',
    in: 'journalCharge',
    find: '...pricedBy(record),',
    replace: '',
    caughtBy: 'src/stores/sqlite/verify/verify-ledger.test.ts',
  },
  {
    name: 'a call that was never sent is an event',
    in: 'recordEnd',
    find: 'if (!isUnsent) record.told',
    replace: 'if (isUnsent || record.told === null) record.told',
  },
  {
    name: 'a call that may yet be granted is counted as denied',
    in: 'reserve',
    find: 'if (isFinal) {\n      countDenial(ledger, scope.rootToSelf, breaches[0], request.atMs)',
    replace: 'countDenial(ledger, scope.rootToSelf, breaches[0], request.atMs)\n    if (isFinal) {',
    caughtBy: 'src/stores/memory/memory-store.test.ts',
  },
  {
    name: 'a denial is counted on who asked, and not where the limit is',
    in: 'countDenial',
    find: 'path.find(({ id }) => id === scopeId)',
    replace: "path.at(scopeId === '' ? 0 : -1)",
    caughtBy: 'src/stores/memory/memory-store.test.ts',
  },
  {
    name: 'pruning does not say what it has forgotten',
    in: 'pruneRoot',
    find: 'if (events > 0 || reservations > 0) statements.writeForgotten.run(forgotten, root)',
    replace: 'if (events < 0) statements.writeForgotten.run(forgotten, root)',
    caughtBy: 'src/stores/sqlite/prune-ledger.test.ts',
  },
  {
    name: 'a cursor from before the history misses what was pruned',
    in: 'readHistory',
    find: 'if (since !== undefined && since < forgotten) return',
    replace: 'if (since !== undefined && since < 0) return',
    caughtBy: 'src/stores/sqlite/prune-ledger.test.ts',
  },
  {
    name: 'the keys in a command are kept',
    in: 'keptText',
    find: 'withoutKeys(storableText(cut))',
    replace: 'storableText(cut)',
    caughtBy: 'src/stores/memory/memory-store.test.ts',
  },
  {
    name: 'the sums of an hour are replaced when more of it is pruned',
    in: 'addedSums',
    find: 'addAmount(added[place] ?? 0, kept[place] ?? 0)',
    replace: '(added[place] ?? 0)',
    caughtBy: 'src/stores/sqlite/read-sums.test.ts',
  },
  {
    name: 'calls of a pruned scope are not added up',
    in: 'pruneRoot',
    find: 'keepSums(statements, [...statements.sumsToPruneOf.all(id), ...statements.oldSumsToPruneOf.all(id)])',
    replace: '',
    caughtBy: 'src/stores/sqlite/read-sums.test.ts',
  },
  {
    name: 'the end of a scope is no event',
    in: 'closeScope',
    find: 'recordClosed(ledger, scope, { status, reason, by }, atMs)',
    replace: 'void recordClosed',
  },
  {
    name: 'a second pause is an event of its own',
    in: 'writePause',
    find: "return { kind: 'duplicate', pause: scope.pause }",
    replace: "recordPaused(ledger, scope, scope.pause)\n    return { kind: 'duplicate', pause: scope.pause }",
  },
  {
    name: 'a corrected charge keeps the number of the assumed one',
    in: 'recordCorrection',
    find: 'told: nextNumber(scope), atMs',
    replace: 'told: record.told ?? nextNumber(scope), atMs',
  },
  {
    name: 'what was charged is left out of the history',
    in: 'settledEvent',
    find: 'charged: amountsFromVector(charged ?? [])',
    replace: 'charged: amountsFromVector(reserved)',
  },
  {
    name: 'a sum is of a moment instead of an hour',
    in: 'sumKeyOf',
    find: 'hourMs: atMs - (atMs % HOUR_MS)',
    replace: 'hourMs: atMs',
  },
  {
    name: 'what a dead process was charged is in no sum',
    in: 'isCharged',
    find: "(record.state === 'settled' || record.state === 'assumed')",
    replace: "record.state === 'settled'",
  },
]
