import type { Config } from '../../config/config.ts'
import { storeText } from '../../config/store-address.ts'
import type { NestedRunServerOptions } from '../../exec/index.ts'
import type { Upstreams } from '../../gateway/gateway.ts'
import { PROVIDER_NAMES } from '../../system/provider-variables.ts'

/**
 * What a nested `stint` learns about its run: the ledger, the prices, and the providers that the gateway has keys for.
 */
export function nestedRunFacts(
  { store: { address }, prices }: Config,
  upstreams: Upstreams,
): Pick<NestedRunServerOptions, 'ledger' | 'prices' | 'providers'> {
  // Without the password of a database: what runs below gets no access to it.
  return { ledger: storeText(address), prices, providers: PROVIDER_NAMES.filter((name) => upstreams[name]?.apiKey) }
}
