import type { IncomingMessage } from 'node:http'
import { StintError } from '../../core/index.ts'
import { readBody } from '../../gateway/http/read-body.ts'
import { badRequest } from './refusals.ts'

const MOST_BYTES = 524_288
const JSON_TYPE = /^application\/json(?: *; *charset=utf-8)?$/i

/** Refuses a write that a plain form of a foreign page could send as well. */
export function assertJsonType(headers: ReadonlyMap<string, string>): void {
  if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
    throw badRequest('The body must be JSON: send content-type: application/json.')
  }
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw badRequest('The body is compressed. Send it as plain JSON.')
}

/** The body of a write as a value. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, MOST_BYTES)
  if (bytes === null) throw new StintError('too_large', `The body is longer than ${MOST_BYTES} bytes.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}
