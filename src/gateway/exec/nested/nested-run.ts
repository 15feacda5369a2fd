import type { Limit, Meter } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { GovernedRun, RunState } from '../runs/governed-run.ts'
import { askDesk, askOrRefuse, type DeskAnswer } from './ask-desk.ts'
import { readToken } from './scope-token.ts'

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
  const opened = await askOrRefuse(deskUrl, token, { method: 'POST', path: '/runs', body: spec })
  const {
    id,
    path,
    key,
    gatewayUrl,
    token: inside,
    keeperToken: own,
  } = opened as Record<'id' | 'path' | 'key' | 'gatewayUrl' | 'token' | 'keeperToken', string>
  const read = (): Promise<DeskAnswer['body']> => askOrRefuse(deskUrl, own, { method: 'GET', path: '/run' })
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
      // 410: it ended with the run around it.
      await askOrRefuse(deskUrl, own, { method: 'POST', path: '/close', body: { status } }, [200, 410])
    },
  }
}
