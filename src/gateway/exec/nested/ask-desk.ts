import { ERROR_CODES, isPlainObject, StintError } from '../../../core/index.ts'
import { request } from '../../http/node-http.ts'
import { brokenToken } from './scope-token.ts'

const TIMEOUT_MS = 10_000
const LONGEST_ANSWER = 4 * 1024 * 1024

export interface DeskAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface DeskRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** Asks the desk for what only it can give. Throws where it does not answer, does not know the token, or refuses. */
export async function askOrRefuse(
  deskUrl: string,
  token: string,
  what: DeskRequest,
  accepted: readonly number[] = [200, 201],
): Promise<DeskAnswer['body']> {
  const answer = await askDesk(deskUrl, token, what).catch(() => {
    throw brokenToken('the stint that made it does not answer')
  })
  if (accepted.includes(answer.status)) return answer.body
  const { code: said, message: text } = answer.body
  const message = typeof text === 'string' ? text : `it was answered with ${answer.status}`
  const code = ERROR_CODES.find((each) => each === said)
  throw code === undefined ? brokenToken(message) : new StintError(code, message)
}

/** Asks the desk of the `stint` around us. Rejects if it does not answer. */
export function askDesk(deskUrl: string, token: string, what: DeskRequest): Promise<DeskAnswer> {
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
