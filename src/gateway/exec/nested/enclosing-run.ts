import type { PriceEntry, PriceList } from '../../../pricing/index.ts'
import type { ProviderName } from '../../../system/provider-variables.ts'
import { askOrRefuse } from './ask-desk.ts'
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
}

/** Asks for the run that `token` names. Throws where the process that keeps it does not know the token, or is gone. */
export async function findEnclosingRun(token: string): Promise<EnclosingRun> {
  const { deskUrl } = readToken(token)
  const found = await askOrRefuse(deskUrl, token, { method: 'GET', path: '/place' })
  const { prices, ...run } = found as unknown as Omit<EnclosingRun, 'prices'> & {
    readonly prices: readonly (readonly [string, readonly PriceEntry[]])[]
  }
  return { ...run, prices: new Map(prices) }
}
