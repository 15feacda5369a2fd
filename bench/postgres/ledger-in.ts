import postgres from 'postgres'

/** The address of a ledger of its own in a server: a schema that only this one has. */
export async function ledgerIn(url: string, schema: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`CREATE SCHEMA ${schema}`)
  await sql.end()
  return `${url}?schema=${schema}`
}
