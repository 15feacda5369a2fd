import type { Mutant } from './mutant.ts'

/** Bugs in what the gateway reserves and charges for. */
export const GATEWAY_MUTANTS: readonly Mutant[] = [
  {
    name: 'the gateway reserves media as text',
    in: 'mediaOf',
    find: 'media === null ? {} : { hasMedia: true, media }',
    replace: '{}',
    caughtBy: 'tests/integration/gateway/media.test.ts',
  },
  {
    name: 'media that was added is free',
    in: 'estimatePrompt',
    find: 'added = addMediaCounts(added, size.media)',
    replace: 'added = NO_MEDIA',
    caughtBy: 'tests/integration/gateway/media.test.ts',
  },
  {
    name: 'the gateway does not say who answered',
    in: 'count',
    find: 'reading.served !== undefined',
    replace: 'false',
    caughtBy: 'tests/integration/gateway/fees.test.ts',
  },
  {
    name: 'the gateway counts no searches in files',
    in: 'count',
    find: '{ toolCalls: own + providerToolCalls, webSearches, fileSearches }',
    replace: '{ toolCalls: own + providerToolCalls, webSearches, fileSearches: 0 }',
    caughtBy: 'tests/integration/gateway/fees.test.ts',
  },
]
