import { ERROR_CODES, isPlainObject, StintError } from '../../core/index.ts'
import { request } from '../../gateway/http/node-http.ts'
import { invalidToken } from './scope-token.ts'

const TIMEOUT_MS = 10_000
const LONGEST_ANSWER = 4 * 1024 * 1024

export interface ServerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface ServerRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** Like `askServer`, but throws if it doesn't answer, doesn't know the token, or refuses. */
export async function askServerOrThrow(
  serverUrl: string,
  token: string,
  what: ServerRequest,
  accepted: readonly number[] = [200, 201],
): Promise<ServerAnswer['body']> {
  const answer = await askServer(serverUrl, token, what).catch(() => {
    throw invalidToken('the stint process that issued it does not answer')
  })
  if (accepted.includes(answer.status)) return answer.body
  const { code, message: text } = answer.body
  const message = typeof text === 'string' ? text : `its server answered with status ${answer.status}`
  const known = ERROR_CODES.find((each) => each === code)
  throw known === undefined ? invalidToken(message) : new StintError(known, message)
}

/** Sends a request to the enclosing `stint`'s server for nested runs. Rejects if it doesn't answer. */
export function askServer(serverUrl: string, token: string, what: ServerRequest): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = request(
      `${serverUrl}${what.path}`,
      { method: what.method, headers, timeout: TIMEOUT_MS },
      (answer) => {
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
          if (body === null) reject(new Error('the answer is not an object'))
          else resolve({ status: answer.statusCode ?? 0, body })
        })
      },
    )
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
