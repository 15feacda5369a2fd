import { postgresAddressProblem } from '../../../core/checks/postgres-address-problem.ts'
import { InvalidOptionError, suggestName } from '../../../core/index.ts'
import { type Encryption, encryptionFrom } from './encryption.ts'

/** A parsed address. */
export interface DatabaseAddress {
  /** For the library: without the parameters that we handle ourselves. */
  readonly url: string
  /** `HOST:PORT/DATABASE`, for messages. */
  readonly place: string
  /** The schema of the tables. Default: by the user's search path. */
  readonly schema: string | null
  /** Whether statements are prepared; `null`: yes, unless there is a pooler. */
  readonly prepare: boolean | null
  readonly encryption: Encryption
}

const ENCRYPTION = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const
const OWN = ['schema', 'prepare', 'channel_binding', ...ENCRYPTION] as const
// Parameters that the library or the server understands.
const PASSED_ON = ['application_name', 'connect_timeout', 'keep_alive', 'options', 'password', 'target_session_attrs']
const KNOWN: readonly string[] = [...OWN, ...PASSED_ON]

/** Parses an address given at `place`. Refuses unknown parameters, and never shows what may be a password. */
export function addressIn(place: string, url: unknown): DatabaseAddress {
  const problem = postgresAddressProblem(String(url))
  if (typeof url !== 'string' || problem !== null) throw new InvalidOptionError(place, '***', problem ?? 'a text')
  const address = new URL(url)
  const { searchParams, hostname, port, pathname } = address
  for (const name of searchParams.keys()) assertKnown(name)
  const written = (name: (typeof OWN)[number]): string | null => searchParams.get(name) || null
  const [schema, prepare] = [written('schema'), written('prepare')]
  const [mode, root, certificate, key] = ENCRYPTION.map(written)
  const encryption = encryptionFrom(hostname, {
    mode: mode ?? null,
    root: root ?? null,
    certificate: certificate ?? null,
    key: key ?? null,
  })
  if (prepare !== null && prepare !== 'true' && prepare !== 'false') {
    throw new InvalidOptionError('prepare in the address', prepare, 'true or false')
  }
  if (written('channel_binding') === 'require') {
    throw new InvalidOptionError('channel_binding in the address', 'require', 'left out; use sslmode=verify-full')
  }
  for (const name of OWN) searchParams.delete(name)
  return {
    url: address.href,
    place: `${hostname}:${port || 5432}${pathname}`,
    schema,
    prepare: prepare === null ? null : prepare === 'true',
    encryption,
  }
}

function assertKnown(name: string): void {
  if (KNOWN.includes(name)) return
  const nearest = suggestName(name, KNOWN)
  throw new InvalidOptionError(
    'A parameter of the address',
    name,
    nearest === null ? `one of ${KNOWN.join(', ')}` : `"${nearest}"`,
  )
}
