import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import type { CountFault, CountRecord, CountRequest } from '../provider-count.ts'
import { ProviderRefusal } from '../provider-refusal.ts'
import { checkKey } from './check-key.ts'
import { parseBody } from './parse-body.ts'
import type { ProviderState } from './provider-state.ts'
import { readBody } from './read-body.ts'
import { sendError, sendJson } from './send-json.ts'

/** Answers one count request. Never rejects. Calls `record` whenever its outcome changes. */
export async function answerCount(
  state: ProviderState,
  dialect: ProviderDialect,
  message: IncomingMessage,
  response: ServerResponse,
  arrived: CountRequest,
  record: (count: CountRecord) => void,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  let count: CountRecord = { ...arrived, outcome: 'running', status: 0, inputTokens: null }
  const become = (change: Partial<CountRecord>) => {
    count = { ...count, ...change }
    record(count)
  }
  try {
    become({ body: await readBody(message) })
    checkKey(message.headers, dialect.name, state.apiKeys)
    const { says, fault, startGate } = await state.nextCount(count)
    await startGate?.wait(gone.signal)
    if (fault !== undefined) {
      await fail(response, dialect, count, fault, gone.signal)
      become({ outcome: fault.kind === 'hang' ? 'gone' : 'failed', status: statusOf(fault) })
      return
    }
    const inputTokens = tokensOf(state, dialect, count)
    become({ outcome: 'answered', status: 200, inputTokens })
    sendJson(response, 200, says === undefined ? dialect.counting!.answerBody(inputTokens) : says)
  } catch (error) {
    const refusal = error instanceof ProviderRefusal ? error : new ProviderRefusal(500, String(error))
    become({ outcome: refusal.status < 500 ? 'refused' : 'failed', status: refusal.status })
    if (!gone.signal.aborted) sendError(response, dialect, refusal, count.number)
  }
}

function tokensOf(state: ProviderState, dialect: ProviderDialect, { body, headers, number }: CountRecord): number {
  const { prompt } = dialect.counting!.readRequest(parseBody(body, dialect), { number, headers, ...state })
  return prompt.reduce((sum, { tokens }) => sum + tokens, 0)
}

function statusOf(fault: CountFault): number {
  return fault.kind === 'status' ? fault.status : fault.kind === 'malformed' ? 200 : 0
}

async function fail(
  response: ServerResponse,
  dialect: ProviderDialect,
  { number }: CountRequest,
  fault: CountFault,
  gone: AbortSignal,
): Promise<void> {
  switch (fault.kind) {
    case 'status': {
      const { status, message = `The script says ${status}.`, retryAfterSeconds } = fault
      sendError(response, dialect, new ProviderRefusal(status, message), number, retryAfterSeconds)
      return
    }
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"input_tokens": 1')
      return
    case 'no-answer':
      response.socket?.destroy()
      return
    case 'hang':
      await new Promise<void>((resolve) => {
        if (gone.aborted) return resolve()
        gone.addEventListener('abort', () => resolve(), { once: true })
      })
  }
}
