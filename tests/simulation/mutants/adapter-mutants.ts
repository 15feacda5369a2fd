import type { Mutant } from './mutant.ts'

/** Bugs in what the adapters reserve and charge for. */
export const ADAPTER_MUTANTS: readonly Mutant[] = [
  {
    name: 'what provider-run tools read again is not reserved',
    in: 'planCall',
    find: 'inputTokens: inputTokens + reading.tokens',
    replace: 'inputTokens: inputTokens',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'the adapter leaves provider-run tools in the request that were to go',
    in: 'withToolBounds',
    find: 'if (maxUses === null) return tool.takeOut(request)',
    replace: 'if (maxUses === null) return request',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'searches that an answer cannot show are free',
    in: 'countProviderCalls',
    find: 'isUnseen ? Math.max(shown, spec.webSearches ?? 0) : shown',
    replace: 'shown',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'media is reserved as text',
    in: 'mediaOf',
    find: 'media === null ? {} : { hasMedia: true, media }',
    replace: '{}',
    caughtBy: 'src/adapters/ai-sdk/model/model-request.test.ts',
  },
  {
    name: 'the adapter does not say who answered',
    in: 'send',
    find: 'grant.report({ servedBy, ',
    replace: 'grant.report({ ',
    caughtBy: 'src/adapters/ai-sdk/model/model-request.test.ts',
  },
]
