import type { Mutant } from './mutant.ts'

/** Bugs in what the adapters reserve and charge for. */
export const ADAPTER_MUTANTS: readonly Mutant[] = [
  {
    name: 'the adapter does not reserve what provider-run tools read again',
    in: 'boundProviderTools',
    find: 'spec.inputTokens + inputTokens',
    replace: 'spec.inputTokens',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'the adapter leaves provider-run tools in the request that were to go',
    in: 'withPlan',
    find: 'if (bound === null) return tool.takeOut(request)',
    replace: 'if (bound === null) return request',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'searches that an answer cannot show are free',
    in: 'countProviderCalls',
    find: 'isUnseen ? Math.max(shown, request.spec.webSearches ?? 0) : shown',
    replace: 'shown',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'the adapter reserves media as text',
    in: 'modelRequest',
    find: 'media === null ? {} : { hasMedia: true, media }',
    replace: '{}',
    caughtBy: 'src/adapters/ai-sdk/model/model-request.test.ts',
  },
  {
    name: 'the adapter does not say who answered',
    in: 'attempt',
    find: 'grant.servedAs(sent.served)',
    replace: 'grant.servedAs({})',
    caughtBy: 'src/adapters/ai-sdk/model/model-request.test.ts',
  },
]
