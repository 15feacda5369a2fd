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
    find: '{ toolCalls: ownCalls + providerToolCalls, webSearches, fileSearches }',
    replace: '{ toolCalls: ownCalls + providerToolCalls, webSearches, fileSearches: 0 }',
    caughtBy: 'tests/integration/gateway/fees.test.ts',
  },
  {
    name: 'tool calls of an answer that broke off are counted',
    in: 'sendCall',
    find: "const ran = end.kind === 'answered' || client.isGone()",
    replace: 'const ran = true',
    caughtBy: 'tests/integration/gateway/cut-calls.test.ts',
  },
  {
    name: 'the tool call that was set aside for an answer that never came is counted',
    in: 'count',
    find: 'grant.count({ toolCalls: ownCalls + planned.providerCalls })\n',
    replace: '',
    caughtBy: 'tests/integration/gateway/cut-calls.test.ts',
  },
  {
    name: 'tool calls of an answer that is sent again are free',
    in: 'end',
    find: "if (state.countedCalls.get(id) === promptDigest) state.countedCalls.set(id, '')",
    replace: "if (id === '') continue",
    caughtBy: 'tests/integration/gateway/cut-calls.test.ts',
  },
  {
    name: 'output that was counted on the way is taken for all of it',
    in: 'promptOf',
    find: 'return known',
    replace: 'return partial',
    caughtBy: 'tests/integration/gateway/cut-calls.test.ts',
  },
  {
    name: 'a stream without an end passes for known',
    in: 'sendCall',
    find: 'const isCut = !end.reading.isComplete',
    replace: 'const isCut = false',
    caughtBy: 'tests/integration/gateway/cut-calls.test.ts',
  },
]
