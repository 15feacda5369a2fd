import { ROW_WRITES, type RowWrite } from '../records/rows/row-change.ts'
import { LEDGER_TABLES } from './ledger-tables.ts'

const RIGHTS: Readonly<Record<RowWrite['action'], readonly string[]>> = {
  insert: ['INSERT'],
  put: ['INSERT', 'UPDATE'],
  update: ['UPDATE'],
  delete: ['DELETE'],
}

// Conversations of paused runs, and the secret that signs the server's sessions.
const PRIVATE = 'documents'

/**
 * The SQL that grants users other than the tables' owner the least rights they need: a spender may write what ledger
 * operations write, and nothing else; a reader only reads. Run it again after each update of Stint.
 */
export function rolesSql(schema: string): string {
  const name = `"${schema.replaceAll('"', '""')}"`
  const tables = (names: readonly string[]): string => names.map((table) => `${name}.${table}`).join(', ')
  const roles = ['stint_reader', 'stint_spender']
  return [
    ...roles.map(
      (role) =>
        `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;`,
    ),
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${name} FROM ${roles.join(', ')};`,
    `GRANT USAGE ON SCHEMA ${name} TO ${roles.join(', ')};`,
    `GRANT SELECT ON ${tables(LEDGER_TABLES.filter((table) => table !== PRIVATE))} TO ${roles.join(', ')};`,
    `GRANT SELECT ON ${tables([PRIVATE])} TO stint_spender;`,
    `GRANT USAGE ON SEQUENCE ${name}.numbers TO stint_spender;`,
    ...[...spenderRights()].map(([table, rights]) => {
      return `GRANT ${[...rights].sort().join(', ')} ON ${name}.${table} TO stint_spender;`
    }),
    '',
  ].join('\n')
}

function spenderRights(): ReadonlyMap<string, ReadonlySet<string>> {
  const rights = new Map([['roots', new Set(['INSERT', 'UPDATE'])]])
  for (const { table, action } of Object.values<RowWrite>(ROW_WRITES)) {
    const known = rights.get(table) ?? new Set<string>()
    for (const right of RIGHTS[action]) known.add(right)
    rights.set(table, known)
  }
  return rights
}
