import { createHmac, timingSafeEqual } from 'node:crypto'
import { isPlainObject, StintError } from '../../../core/index.ts'

/** The variable that tells a `stint` inside a command what it is inside of. */
export const SCOPE_VARIABLE = 'STINT_SCOPE'

/** What a token names. It is no secret beside the key of the run that it was given to, and lives as long. */
export interface ScopeToken {
  /** The ledger of the run, as `--store` writes it. */
  readonly ledger: string
  readonly scopeId: string
  /** Where the gateway answers. */
  readonly gatewayUrl: string
  /** Where a nested run is opened: on loopback, by the process that keeps the scope. */
  readonly deskUrl: string
  /** It was given to the `stint` that runs a command in the scope, and not to the command: that one may end the run. */
  readonly isKeeper: boolean
}

const VERSION = 'stint1'
const LONGEST = 4096
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}$/

/** A token that only whoever has `secret` can make. */
export function signToken(token: ScopeToken, secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${VERSION}.${payload}.${signatureOf(payload, secret)}`
}

/** Whether a token was made with `secret`; `null` if not. */
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
 * What a token says, without a check of who made it: only enough to ask the one who did. Throws for what is no token,
 * since a run whose surroundings are in doubt must not be started as if it had none.
 */
export function readToken(text: string): ScopeToken {
  const [version, payload, signature, ...rest] = text.length > LONGEST ? [] : text.split('.')
  const isWhole = version === VERSION && payload !== undefined && !!signature && rest.length === 0
  const token = isWhole ? parsePayload(payload) : null
  if (token === null) throw brokenToken('it is no token of a stint')
  return token
}

/** For a token that gives no authority at all. */
export function brokenToken(reason: string): StintError {
  const remedy = `To start a run of its own outside of every other, unset ${SCOPE_VARIABLE}.`
  return new StintError('invalid_scope_token', `${SCOPE_VARIABLE} cannot be used: ${reason}. ${remedy}`)
}

function parsePayload(payload: string): ScopeToken | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    if (!isPlainObject(value)) return null
    const { ledger, scopeId, gatewayUrl, deskUrl, isKeeper = false } = value
    if (typeof ledger !== 'string' || typeof scopeId !== 'string') return null
    if (typeof gatewayUrl !== 'string' || typeof deskUrl !== 'string') return null
    if (typeof isKeeper !== 'boolean' || !LOOPBACK.test(gatewayUrl) || !LOOPBACK.test(deskUrl)) return null
    return { ledger, scopeId, gatewayUrl, deskUrl, isKeeper }
  } catch {
    return null
  }
}

function signatureOf(payload: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(`${VERSION}.${payload}`).digest('base64url')
}
