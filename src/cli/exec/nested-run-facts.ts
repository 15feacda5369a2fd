import type { Config } from '../../config/config.ts'
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
  const ledger = address.kind === 'memory' ? 'memory:' : `sqlite:${address.file}`
  return { ledger, prices, providers: PROVIDER_NAMES.filter((name) => upstreams[name]?.apiKey) }
}
