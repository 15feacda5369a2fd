import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'

/** `stint ledger roles`: the SQL for those who spend from a Postgres and those who only look at it. */
export async function ledgerRoles(
  context: CommandContext,
  { schema }: { readonly schema?: string | undefined },
): Promise<Report> {
  const { address } = context.config().store
  const inAddress = address.kind === 'postgres' ? new URL(address.url).searchParams.get('schema') : null
  const { rolesSql } = await import('../../stores/postgres/index.ts')
  const sql = rolesSql(schema ?? inAddress ?? 'public')
  return { json: { sql }, text: sql.trimEnd() }
}
