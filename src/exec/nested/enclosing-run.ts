import type { PriceEntry, PriceList } from '../../pricing/index.ts'
import type { ProviderName } from '../../system/provider-variables.ts'
import { askServer, askServerOrThrow } from './ask-server.ts'
import { readToken } from './scope-token.ts'

/** The run that this process was started in, as described by the `stint` process that owns it. */
export interface EnclosingRun {
  readonly scopeId: string
  /** Its ledger, as `--store` writes it. */
  readonly ledger: string
  /** Its gateway, and the run's key there. */
  readonly gatewayUrl: string
  readonly key: string
  /** The prices in its config, which apply to everything inside it. */
  readonly prices: PriceList
  /** The providers whose keys the gateway has. */
  readonly providers: readonly ProviderName[]
  /** Gets a key and a token for a run below it, whose scope must be open. */
  enter(scopeId: string): Promise<EnteredRun>
}

/** A nested run that is registered with the enclosing gateway. */
export interface EnteredRun {
  readonly key: string
  /** For a `stint` inside it: `STINT_SCOPE`. */
  readonly token: string
  /** Revokes its key. Never rejects. */
  leave(): Promise<void>
}

/** Looks up the run that `token` names. Throws if the process that owns it doesn't know the token, or is gone. */
export async function findEnclosingRun(token: string): Promise<EnclosingRun> {
  const { serverUrl } = readToken(token)
  const found = await askServerOrThrow(serverUrl, token, { method: 'GET', path: '/place' })
  const { prices, ...run } = found as unknown as Omit<EnclosingRun, 'prices' | 'enter'> & {
    readonly prices: readonly (readonly [string, readonly PriceEntry[]])[]
  }
  return { ...run, prices: new Map(prices), enter: (scopeId) => enter(serverUrl, token, scopeId) }
}

async function enter(serverUrl: string, around: string, scopeId: string): Promise<EnteredRun> {
  const entered = await askServerOrThrow(serverUrl, around, { method: 'POST', path: '/keys', body: { scopeId } })
  const { key, token, ownerToken } = entered as Record<'key' | 'token' | 'ownerToken', string>
  return {
    key,
    token,
    async leave() {
      // The enclosing run may have ended, and its server with it.
      await askServer(serverUrl, ownerToken, { method: 'POST', path: '/leave' }).catch(() => {})
    },
  }
}
