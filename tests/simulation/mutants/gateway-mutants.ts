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
    in: 'estimateInSteps',
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
    name: 'a tool call that reached its client is free when its id comes again',
    in: 'createToolGate',
    find: 'ofThisAnswer.add(id)\n        return true\n      }\n      const room',
    replace:
      'ofThisAnswer.add(id)\n        state.lostCalls.set(id, promptDigest)\n        return true\n      }\n      const room',
    caughtBy: 'tests/integration/gateway/odd-answers.test.ts',
  },
  {
    name: 'what is no event passes a gate for tool calls',
    in: 'isUnreadable',
    find: 'isTooLarge || isForeign ||',
    replace: 'isTooLarge ||',
    caughtBy: 'tests/integration/gateway/odd-answers.test.ts',
  },
  {
    name: 'a client says who is billed for the key of the operator',
    in: 'targetOf',
    find: 'pool.credentials === null ? headers.passedOn : billingSafeHeaders(headers.passedOn)',
    replace: 'headers.passedOn',
    caughtBy: 'tests/integration/gateway/secrets.test.ts',
  },
  {
    name: 'an answer that is too large to be read is free',
    in: 'followWhole',
    find: 'if (size > largestBytes) return NOTHING',
    replace: 'if (size > largestBytes) return (answer.markError(), NOTHING)',
    caughtBy: 'src/gateway/dialects/answer/follow-whole.test.ts',
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
    find: 'countedBefore.has(id) ? promptDigest : null',
    replace: 'promptDigest',
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
