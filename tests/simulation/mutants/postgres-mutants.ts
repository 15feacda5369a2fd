import type { Mutant } from './mutant.ts'

/** Bugs of the store in Postgres, which only several processes bring out. */
export const POSTGRES_MUTANTS: readonly Mutant[] = [
  {
    name: 'what other machines wrote is not read again',
    store: 'postgres',
    in: 'catchUp',
    find: 'for (const id of rows.get<readonly string[]>(CHANGED)) ledger.scopes.readAgain(id)',
    replace: '',
  },
  {
    name: 'a follower passes a transaction that is still open',
    in: 'lookOnce',
    find: "'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS number'",
    replace: "'SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS number'",
    caughtBy: 'tests/integration/postgres/following.test.ts',
  },
]
