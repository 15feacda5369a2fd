import { createHmac, timingSafeEqual } from 'node:crypto'
import { isPlainObject, StintError } from '../../core/index.ts'

/** The variable that tells a `stint` inside a command which run it is in. */
export const SCOPE_VARIABLE = 'STINT_SCOPE'

/** The content of a token. It is as secret as the key of its run, and lives as long. */
export interface ScopeToken {
  /** The ledger of the run, as `--store` writes it. */
  readonly ledger: string
  readonly scopeId: string
  readonly gatewayUrl: string
  /** The server for nested runs, on loopback, of the process that owns the scope. */
  readonly serverUrl: string
  /** Issued to the `stint` that runs a command in the scope, not to the command: it may end the run. */
  readonly isOwner: boolean
}

const VERSION = 'stint1'
const LONGEST = 4096
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}$/

/** Signs a token with `secret`. */
export function signToken(token: ScopeToken, secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${VERSION}.${payload}.${signatureOf(payload, secret)}`
}

/** The content of a token signed with `secret`; `null` if it wasn't. */
export function verifyToken(text: string, secret: Buffer): ScopeToken | null {
  if (text.length > LONGEST) return null
  const [version, payload, signature = '', ...rest] = text.split('.')
  if (version !== VERSION || payload === undefined || rest.length > 0) return null
  const expected = Buffer.from(signatureOf(payload, secret))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return parsePayload(payload)
}

/**
 * The content of a token, unverified: enough to ask the process that issued it. Throws if it is malformed, since a run
 * must not start as if it were not nested.
 */
export function readToken(text: string): ScopeToken {
  const [version, payload, signature, ...rest] = text.length > LONGEST ? [] : text.split('.')
  const isWhole = version === VERSION && payload !== undefined && !!signature && rest.length === 0
  const token = isWhole ? parsePayload(payload) : null
  if (token === null) throw invalidToken('it is not a token from stint')
  return token
}

export function invalidToken(reason: string): StintError {
  const remedy = `To start a separate run, unset ${SCOPE_VARIABLE}.`
  return new StintError('invalid_scope_token', `${SCOPE_VARIABLE} cannot be used: ${reason}. ${remedy}`)
}

function parsePayload(payload: string): ScopeToken | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    if (!isPlainObject(value)) return null
    const { ledger, scopeId, gatewayUrl, serverUrl, isOwner = false } = value
    if (typeof ledger !== 'string' || typeof scopeId !== 'string') return null
    if (typeof gatewayUrl !== 'string' || typeof serverUrl !== 'string') return null
    if (typeof isOwner !== 'boolean' || !LOOPBACK.test(gatewayUrl) || !LOOPBACK.test(serverUrl)) return null
    return { ledger, scopeId, gatewayUrl, serverUrl, isOwner }
  } catch {
    return null
  }
}

function signatureOf(payload: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(`${VERSION}.${payload}`).digest('base64url')
}
