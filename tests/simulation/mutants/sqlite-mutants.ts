import type { Mutant } from './mutant.ts'

/** Bugs of the store in a file, which only many processes, or a full disk, bring out. */
export const SQLITE_MUTANTS: readonly Mutant[] = [
  {
    name: 'what others wrote is not read again',
    store: 'sqlite',
    file: 'stores/sqlite/sqlite-ledger.ts',
    find: 'if (change !== NOTHING_READ) scopes.readAgain(statements.scopesChanged.all(change))\n',
    replace: '',
  },
  {
    name: 'reservations that others finished are remembered as open',
    store: 'sqlite',
    file: 'stores/sqlite/sqlite-ledger.ts',
    find: 'reservations.clear()\n      heads.clear()\n      change = row.change as number',
    replace: 'heads.clear()\n      change = row.change as number',
  },
  {
    name: 'a chain goes on from an entry that is not its last',
    store: 'sqlite',
    file: 'stores/sqlite/sqlite-ledger.ts',
    find: 'reservations.clear()\n      heads.clear()\n      change = row.change as number',
    replace: 'reservations.clear()\n      change = row.change as number',
  },
  {
    name: 'what was rolled back is remembered',
    store: 'sqlite',
    file: 'stores/sqlite/create-sqlite-store.ts',
    find: 'onRollback: ledger.forget,',
    replace: 'onRollback: () => ledger.changes.clear(),',
  },
  {
    name: 'the journal leaves out what was given back',
    store: 'sqlite',
    file: 'stores/ledger/settle.ts',
    find: 'ledger.changes.append(scope, {\n    kind,',
    replace: "if (kind !== 'released') ledger.changes.append(scope, {\n    kind,",
  },
  {
    name: 'the totals of the journal are those of another scope',
    store: 'sqlite',
    file: 'stores/sqlite/journal.ts',
    find: 'const totals = totalsText(root)',
    replace: 'const totals = totalsText([...changes.touched].at(-1) ?? root)',
  },
  {
    name: 'an entry holds only the first of its facts',
    store: 'sqlite',
    file: 'stores/sqlite/journal.ts',
    find: 'JSON.stringify(facts.length === 1 ? facts[0] : facts)',
    replace: 'JSON.stringify(facts[0])',
  },
  {
    name: 'a reservation does not say that it was charged',
    store: 'sqlite',
    file: 'stores/sqlite/change-log.ts',
    find: 'if (!newReservations.has(record)) chargedReservations.add(record)',
    replace: '',
  },
  {
    name: 'a counter is written with less than is reserved',
    store: 'sqlite',
    file: 'stores/sqlite/write-changes.ts',
    find: 'endOf(row), settled, reserved, announcedText(row))',
    replace: 'endOf(row), settled, Math.max(0, reserved - 1), announcedText(row))',
  },
]
