import { createHash, randomBytes } from 'node:crypto'

// So that people, scanners for lost secrets and our own gateway know one when they see it.
const PREFIX = 'stint_'
const KEY_BYTES = 32
// 32 bytes in base64url; the last of its 43 characters carries 4 bits.
const FORM = /^stint_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** A new key: 256 random bits. It is shown once; only its hash is ever kept. */
export function createGatewayKey(): string {
  return `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
}

/** Whether a text can be a key at all. */
export function isGatewayKey(text: string): boolean {
  return FORM.test(text)
}

/**
 * What the ledger knows a key by. A plain SHA-256 is enough: nobody can try out 256 random bits, so there is nothing
 * for a salt or a slow hash to defend.
 */
export function hashGatewayKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
