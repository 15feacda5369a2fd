import { ERROR_CODES, type Limit, type Meter, StintError } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { GovernedRun, RunState } from '../runs/governed-run.ts'
import { askDesk, type DeskAnswer } from './ask-desk.ts'
import { brokenToken, readToken } from './scope-token.ts'

/** What a nested run is opened with. */
export interface NestedSpec {
  readonly name: string
  readonly limits: readonly Limit[]
  readonly wrapUp: boolean
}

/**
 * Opens a run inside the one that `token` names: in its ledger, on its gateway, and kept by the process that made the
 * token. Throws where that process does not know the token, or is not there any more.
 */
export async function openNestedRun(token: string, spec: NestedSpec): Promise<GovernedRun> {
  const { deskUrl } = readToken(token)
  const opened = await ask(deskUrl, token, { method: 'POST', path: '/runs', body: spec })
  if (opened.status !== 201) throw refusalOf(opened)
  const {
    id,
    path,
    key,
    gatewayUrl,
    token: inside,
    keeperToken: own,
  } = opened.body as Record<'id' | 'path' | 'key' | 'gatewayUrl' | 'token' | 'keeperToken', string>
  const read = async (): Promise<DeskAnswer['body']> => {
    const answer = await ask(deskUrl, own, { method: 'GET', path: '/run' })
    if (answer.status !== 200) throw refusalOf(answer)
    return answer.body
  }
  let isTouching = false
  return {
    id,
    path,
    gatewayUrl,
    key,
    token: inside,
    look: async () => (await read()).state as RunState,
    usage: async () => (await read()).usage as Readonly<Record<Meter, MeterUsage>>,
    touch() {
      // Output may come a thousand times a second; one word of it at a time is enough.
      if (isTouching) return
      isTouching = true
      void askDesk(deskUrl, own, { method: 'POST', path: '/touch' })
        .catch(() => {})
        .finally(() => {
          isTouching = false
        })
    },
    async close(status) {
      const answer = await ask(deskUrl, own, { method: 'POST', path: '/close', body: { status } })
      // Ended with the run around it.
      if (answer.status !== 200 && answer.status !== 410) throw refusalOf(answer)
    },
  }
}

async function ask(...request: Parameters<typeof askDesk>): Promise<DeskAnswer> {
  try {
    return await askDesk(...request)
  } catch {
    throw brokenToken('the stint that made it does not answer')
  }
}

function refusalOf({ status, body }: DeskAnswer): StintError {
  const message = typeof body.message === 'string' ? body.message : `it was answered with ${status}`
  const code = ERROR_CODES.find((each) => each === body.code)
  return code === undefined ? brokenToken(message) : new StintError(code, message)
}
