import type { IncomingMessage, ServerResponse } from 'node:http'
import { ProviderRefusal } from '../provider-refusal.ts'
import type { RecordedRequest } from '../scripted-provider.ts'
import { answerCall } from './answer-call.ts'
import { checkKey } from './check-key.ts'
import { modelEntry, modelList } from './model-list.ts'
import type { ProviderState } from './provider-state.ts'
import { readBody } from './read-body.ts'
import type { Route } from './routes.ts'
import { sendError, sendJson } from './send-json.ts'

/** Answers one HTTP request. Never rejects. Calls `record` again when the body has arrived. */
export async function handleRequest(
  state: ProviderState,
  route: Route,
  message: IncomingMessage,
  response: ServerResponse,
  arrived: RecordedRequest,
  record: (request: RecordedRequest) => void,
): Promise<void> {
  const path = arrived.path.split('?')[0]!
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const recorded = { ...arrived, body: await readBody(message) }
    record(recorded)
    checkKey(message.headers, route.dialect.name, state.apiKeys)
    if (route.kind === 'answer') await answerCall(state, route.dialect, recorded, response, gone.signal)
    else answerOther(state, route, recorded, path, response)
  } catch (error) {
    const refusal = error instanceof ProviderRefusal ? error : new ProviderRefusal(500, String(error))
    if (!gone.signal.aborted) sendError(response, route.dialect, refusal, arrived.number)
  }
}

function answerOther(
  state: ProviderState,
  { kind, dialect }: Route,
  recorded: RecordedRequest,
  path: string,
  response: ServerResponse,
): void {
  switch (kind) {
    case 'models':
      sendJson(response, 200, modelList(state.modelNames, dialect.name, state.nowSeconds()))
      break
    case 'model': {
      const name = path.slice('/v1/models/'.length)
      if (!state.modelNames.includes(name)) throw new ProviderRefusal(404, `The model '${name}' does not exist`)
      sendJson(response, 200, modelEntry(name, dialect.name, state.nowSeconds()))
      break
    }
    default:
      throw new ProviderRefusal(
        404,
        dialect.name === 'anthropic-messages' ? 'Not Found' : `Invalid URL (${recorded.method} ${path})`,
      )
  }
}
