import { createHash } from 'node:crypto'

/** The provider's signature of its thinking, so that it cannot be forged. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(`scripted provider\0${thinking}`).digest('base64')
}
