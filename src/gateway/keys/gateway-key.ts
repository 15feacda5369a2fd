import { createHash, randomBytes } from 'node:crypto'

// Recognizable prefixes for people, secret scanners and our own server. No key of one form has the other.
const PREFIX = 'stint_'
const API_PREFIX = 'stint_api_'
const KEY_BYTES = 32
// 32 bytes in base64url; the last of its 43 characters carries 4 bits.
const FORM = /^stint_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const API_FORM = /^stint_api_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** A new key: 256 random bits. It is shown once; only its hash is stored. */
export function createGatewayKey(): string {
  return `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
}

/** A new key for the HTTP API, which the gateway refuses. */
export function createApiKey(): string {
  return `${API_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
}

/** Whether a text has the format of a key for the HTTP API. */
export function isApiKey(text: string): boolean {
  return API_FORM.test(text)
}

/** Whether a text has the format of a key of the gateway. */
export function isGatewayKey(text: string): boolean {
  return FORM.test(text)
}

/**
 * The hash by which the ledger knows a key. A plain SHA-256 is enough: 256 random bits cannot be guessed, so there is
 * nothing for a salt or a slow hash to defend.
 */
export function hashGatewayKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
