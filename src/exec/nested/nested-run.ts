import type { Limit, Meter, ScopeAbout } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'
import type { GovernedRun, RunState } from '../runs/governed-run.ts'
import { askServer, askServerOrThrow, type ServerAnswer } from './ask-server.ts'
import { readToken } from './scope-token.ts'

/** What a nested run is opened with. */
export interface NestedSpec {
  readonly name: string
  readonly limits: readonly Limit[]
  readonly wrapUp: boolean
  /** What its history says of it. */
  readonly about?: ScopeAbout
}

/**
 * Opens a run inside the one that `token` names: in its ledger, on its gateway, and owned by the process that issued the
 * token. Throws if that process doesn't know the token, or is gone.
 */
export async function openNestedRun(token: string, spec: NestedSpec): Promise<GovernedRun> {
  const { serverUrl } = readToken(token)
  const opened = await askServerOrThrow(serverUrl, token, { method: 'POST', path: '/runs', body: spec })
  const {
    id,
    path,
    key,
    gatewayUrl,
    token: inside,
    ownerToken: own,
  } = opened as Record<'id' | 'path' | 'key' | 'gatewayUrl' | 'token' | 'ownerToken', string>
  const read = (): Promise<ServerAnswer['body']> => askServerOrThrow(serverUrl, own, { method: 'GET', path: '/run' })
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
      // Output may come a thousand times a second; one request at a time is enough.
      if (isTouching) return
      isTouching = true
      void askServer(serverUrl, own, { method: 'POST', path: '/touch' })
        .catch(() => {})
        .finally(() => {
          isTouching = false
        })
    },
    async close(status) {
      // 410: it ended with the enclosing run.
      await askServerOrThrow(serverUrl, own, { method: 'POST', path: '/close', body: { status } }, [200, 410])
    },
  }
}
