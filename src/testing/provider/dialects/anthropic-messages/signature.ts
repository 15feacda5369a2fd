import { createHash } from 'node:crypto'

/** What the provider signs its thinking with, so that nobody puts words into its mind. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(`scripted provider\0${thinking}`).digest('base64')
}
