import { isPlainObject } from '../../../core/index.ts'
import { request } from '../../http/node-http.ts'

const TIMEOUT_MS = 10_000
const LONGEST_ANSWER = 4 * 1024 * 1024

export interface DeskAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Asks the desk of the `stint` around us. Rejects if nobody answers there. */
export function askDesk(
  deskUrl: string,
  token: string,
  what: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object },
): Promise<DeskAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = request(`${deskUrl}${what.path}`, { method: what.method, headers, timeout: TIMEOUT_MS }, (answer) => {
      const parts: Buffer[] = []
      let length = 0
      answer.on('data', (part: Buffer) => {
        length += part.length
        if (length > LONGEST_ANSWER) answer.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      answer.once('error', reject)
      answer.once('end', () => {
        const body = parseOr(Buffer.concat(parts).toString('utf8'))
        if (body === null) reject(new Error('the answer is no object'))
        else resolve({ status: answer.statusCode ?? 0, body })
      })
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer came in time')))
    asked.once('error', reject)
    asked.end(what.body === undefined ? undefined : JSON.stringify(what.body))
  })
}

function parseOr(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : null
  } catch {
    return null
  }
}
