import { codeOf, messageOf } from '../../core/checks/thrown.ts'
import { isStintError } from '../../core/index.ts'
import { UnreadableRowError } from '../records/rows/unreadable-row-error.ts'
import { StoreBusyError, StoreUnavailableError } from '../records/store-errors.ts'
import { isConnectionLost } from './database/connections.ts'
import type { DatabaseAddress } from './database/database-address.ts'

/** The problem and the fix for each error code. */
const FIXES: Readonly<Record<string, string>> = {
  '28P01': 'refused the password; check the user and the password in the address',
  '28000': 'refused the user; check the user and sslmode in the address, and the rules of the server (pg_hba.conf)',
  '3D000': 'has no such database; create it, or correct its name in the address',
  '3F000': 'has no such schema; create it (CREATE SCHEMA …), or correct schema= in the address',
  '42501': 'refused a right that the user needs; see `stint ledger roles`',
  '42P01': 'lacks a table of the ledger; restore it, or correct schema= in the address',
  '42703':
    'has a table of another program under the name of one of the ledger’s; use a schema of its own (schema=NAME)',
  '25006': 'is read-only; use the address of the primary server',
  '26000': 'is reached through a pooler that does not know prepared statements; leave out prepare=true',
  '42704': 'does not know a parameter of the address; correct it',
  '53100': 'has no space left on its disk; free some',
  '53200': 'has no memory left; give it some',
  '53300': 'has no connection left; raise max_connections, or put a pooler in front of it',
  ENOTFOUND: 'was not found; check the name in the address',
  ECONNREFUSED: 'refused the connection; check that it runs, and the host and port in the address',
  CERT_HAS_EXPIRED: 'has a certificate that has expired; renew it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate; name its file with sslrootcert=FILE in the address',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for another host; use that name in the address, or sslmode=verify-ca to check only who issued it',
}
const UNKNOWN_AUTHORITY =
  'has a certificate of an unknown authority; name its file with sslrootcert=FILE in the address'
const UNKNOWN_AUTHORITY_CODES = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
// The server's message names the table or the rule.
const QUOTED = new Set(['28000', '42501', '42P01', '42703', '42704'])
// Node's message for a server that does not answer in TLS.
const NO_ENCRYPTION = /before secure TLS connection|wrong version number|packet length too long/
const BUSY = new Set(['55P03', '57014', '40001', '40P01'])

/** What an error means for the ledger at an address. Never shows the password. */
export function errorFrom(error: unknown, { place: at, encryption }: DatabaseAddress): unknown {
  if (isStintError(error)) return error
  const place = `The Postgres server at ${at}`
  if (error instanceof UnreadableRowError) {
    const { table, row, message } = error
    return new StoreUnavailableError(
      `${place}: row ${JSON.stringify(row)} of ${table} cannot be read (${message}).`,
      error,
    )
  }
  const code = codeOf(error) ?? ''
  if (BUSY.has(code)) return new StoreBusyError(`${place} was busy for longer than the deadline (${code}).`, error)
  const fix = UNKNOWN_AUTHORITY_CODES.has(code) ? UNKNOWN_AUTHORITY : FIXES[code]
  if (fix !== undefined) {
    const said = QUOTED.has(code) ? ` (${messageOf(error)})` : ''
    return new StoreUnavailableError(`${place} ${fix}${said}.`, error)
  }
  if (encryption !== false && encryption !== 'prefer' && NO_ENCRYPTION.test(messageOf(error))) {
    const problem = 'does not encrypt connections; turn that on (ssl = on), or leave out sslmode'
    return new StoreUnavailableError(`${place} ${problem}.`, error)
  }
  if (isConnectionLost(error)) return new StoreUnavailableError(`${place} cannot be reached (${code}).`, error)
  return new StoreUnavailableError(`${place} failed (${[code, messageOf(error)].filter(Boolean).join(': ')}).`, error)
}
