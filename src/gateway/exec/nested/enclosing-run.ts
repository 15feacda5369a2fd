import type { PriceEntry, PriceList } from '../../../pricing/index.ts'
import type { ProviderName } from '../../../system/provider-variables.ts'
import { askDesk, askOrRefuse } from './ask-desk.ts'
import { readToken } from './scope-token.ts'

/** The run that this process was started in, as the `stint` that keeps it describes it. */
export interface EnclosingRun {
  readonly scopeId: string
  /** Its ledger, as `--store` writes it. */
  readonly ledger: string
  /** Where its gateway answers, and the key by which that knows the run. */
  readonly gatewayUrl: string
  readonly key: string
  /** The prices of its config, by which everything inside of it is charged. */
  readonly prices: PriceList
  /** The providers whose keys the gateway has. */
  readonly providers: readonly ProviderName[]
  /** A key and a token for what a run below it starts. Call it when its scope is open. */
  enter(scopeId: string): Promise<EnteredRun>
}

/** A run that the gateway around it knows, too. */
export interface EnteredRun {
  readonly key: string
  /** For a `stint` inside of it: `STINT_SCOPE`. */
  readonly token: string
  /** From then on its key opens nothing. Never rejects. */
  leave(): Promise<void>
}

/** Asks for the run that `token` names. Throws where the process that keeps it does not know the token, or is gone. */
export async function findEnclosingRun(token: string): Promise<EnclosingRun> {
  const { deskUrl } = readToken(token)
  const found = await askOrRefuse(deskUrl, token, { method: 'GET', path: '/place' })
  const { prices, ...run } = found as unknown as Omit<EnclosingRun, 'prices' | 'enter'> & {
    readonly prices: readonly (readonly [string, readonly PriceEntry[]])[]
  }
  return { ...run, prices: new Map(prices), enter: (scopeId) => enter(deskUrl, token, scopeId) }
}

async function enter(deskUrl: string, around: string, scopeId: string): Promise<EnteredRun> {
  const entered = await askOrRefuse(deskUrl, around, { method: 'POST', path: '/keys', body: { scopeId } })
  const { key, token, keeperToken } = entered as Record<'key' | 'token' | 'keeperToken', string>
  return {
    key,
    token,
    async leave() {
      // The run around it may have ended, and its desk with it.
      await askDesk(deskUrl, keeperToken, { method: 'POST', path: '/leave' }).catch(() => {})
    },
  }
}
