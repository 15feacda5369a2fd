import { readFileSync } from 'node:fs'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { codeOf } from '../../../core/checks/thrown.ts'
import { InvalidOptionError } from '../../../core/index.ts'

/** How a connection is encrypted: never, if the server supports it, always, or with a verified certificate. */
export type Encryption = false | 'prefer' | 'require' | ConnectionOptions

export interface EncryptionParameters {
  readonly mode: string | null
  /** The file of the authority's certificate; `system` or nothing: the authorities that Node trusts. */
  readonly root: string | null
  /** The files of our own certificate and its key. */
  readonly certificate: string | null
  readonly key: string | null
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/**
 * Reads the parameters as psql does. Without any, a connection is encrypted if the server supports it; with only a
 * certificate, the server is verified against it.
 */
export function encryptionFrom(host: string, { mode, root, certificate, key }: EncryptionParameters): Encryption {
  const known = MODES.find((each) => each === (mode ?? defaultMode(root)))
  if (known === undefined) throw new InvalidOptionError('sslmode in the address', mode, `one of ${MODES.join(', ')}`)
  if (known === 'disable') return false
  const isChecked = known.startsWith('verify') || (known === 'require' && root !== null)
  if (!isChecked && certificate === null && key === null) return known === 'require' ? 'require' : 'prefer'
  return {
    rejectUnauthorized: isChecked,
    ...(root === null || root === 'system' ? {} : { ca: textOf('sslrootcert', root) }),
    ...(certificate === null ? {} : { cert: textOf('sslcert', certificate) }),
    ...(key === null ? {} : { key: textOf('sslkey', key) }),
    // An IP address is compared with the certificate, too: by default Node would compare "localhost".
    checkServerIdentity: (_, peer) => (known === 'verify-full' ? checkServerIdentity(host, peer) : undefined),
  }
}

function defaultMode(root: string | null): (typeof MODES)[number] {
  return root === null ? 'prefer' : 'verify-full'
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidOptionError(
      `${name} in the address`,
      file,
      `a file that can be read (${codeOf(error) ?? 'it is not'})`,
    )
  }
}
