import type { Mutant } from './mutant.ts'

/** Bugs in what every edge shares. */
export const LOOP_MUTANTS: readonly Mutant[] = [
  {
    name: 'a closing request is sized by a request that has other tools',
    in: 'closingCall',
    find: 'known?.request ?? call.edit(request, planned.edits)',
    replace: 'known?.request ?? request',
    caughtBy: 'src/adapters/ai-sdk/model/provider-tools.test.ts',
  },
  {
    name: 'what stands beside an answer that was counted is free',
    in: 'answerSize',
    find: 'Math.min(careful, answerTokens + added)',
    replace: 'answerTokens',
    caughtBy: 'src/adapters/ai-sdk/prompt/estimate-prompt.test.ts',
  },
  {
    name: 'results of tool calls with one id have one hint',
    in: 'createResultKeys',
    find: 'if (count === 1) return toolCallId',
    replace: 'if (count > 0) return toolCallId',
    caughtBy: 'src/adapters/ai-sdk/prompt/tool-results.test.ts',
  },
  {
    name: 'a closing answer that was cut passes for whole',
    in: 'answerOfUse',
    find: 'if (second === null) return cut(call, first)',
    replace: 'if (second === null) return first',
    caughtBy: 'tests/integration/gateway/closing-answers.test.ts',
  },
  {
    name: 'a pause is taken for the end of the work',
    in: 'close',
    find: "breach.action === 'pause'",
    replace: 'false',
    caughtBy: 'src/adapters/ai-sdk/contract.test.ts',
  },
  {
    name: 'a closing answer takes the place of a tool call',
    in: 'closeInstead',
    find: '!sent.callsTools && sent.cap < planned.spec.maxOutputTokens',
    replace: 'sent.cap < planned.spec.maxOutputTokens',
    caughtBy: 'src/adapters/ai-sdk/model/closing-call.test.ts',
  },
  {
    name: 'what a provider read again for its own tools passes for the prompt',
    in: 'countedBy',
    find: 'isReadAgain || usage?.inputTokens === undefined',
    replace: 'usage?.inputTokens === undefined',
    caughtBy: 'src/adapters/ai-sdk/prompt/estimate-prompt.test.ts',
  },
]
