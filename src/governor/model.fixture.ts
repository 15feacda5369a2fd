import { createPriceBook, parsePrices } from '../pricing/index.ts'
import type { CallOutcome, ModelCallSpec, ModelGrant } from './governor.ts'

/** A dollar for a million tokens of input, five for output: 1,000 and 5,000 nano-USD a token. */
export const TEST_PRICES = createPriceBook({
  overrides: parsePrices({
    'test-model': { input: 1, output: 5, cacheRead: 1, cacheWrite: 1 },
    'caching-model': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  }),
})

/** A call of the test model. */
export function modelCall(inputTokens: number, maxOutputTokens: number, more: Partial<ModelCallSpec> = {}) {
  return { model: 'test-model', inputTokens, maxOutputTokens, ...more } satisfies ModelCallSpec
}

/** An answer of the model, with so many tokens. */
export function answer(inputTokens: number, outputTokens: number, text = 'done') {
  return { text, usage: { inputTokens, outputTokens } }
}

/** A model that always writes as much as it may. */
export function writesAll(inputTokens: number) {
  return async ({ maxOutputTokens }: ModelGrant) => answer(inputTokens, maxOutputTokens)
}

/** The value of a call that ran to its end, or `null`. */
export function answerFrom<Value>(outcome: CallOutcome<Value>): Value | null {
  return 'value' in outcome ? outcome.value : null
}

/** A promise that a test settles. */
export function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
