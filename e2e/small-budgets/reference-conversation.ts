import { type ScriptedProvider, USUAL_MODELS } from '../../src/testing/provider/index.ts'
import { callsIn, conversationFrom, type ScriptedConversation } from './scripted-conversation.ts'

const SMALLEST_ANSWER = 256
const SMALLEST_THINKING = 1_024

/** The conversation that a provider has seen in a run without limits, which ended by itself. */
export function referenceConversation({ book, requests }: ScriptedProvider): ScriptedConversation {
  const model = book().entries.at(-1)?.model ?? ''
  // A title may be had from a smaller model; it costs next to nothing.
  const entries = book().entries.filter((entry) => entry.model === model)
  const { price, reasoningTokens } = USUAL_MODELS[model] ?? missing(model)
  // What it asks on the side says nothing of its loop: a title may think where the loop does not.
  const bodies = requests.map(({ body }) => body.toString('utf8')).filter((body) => body.includes('"tools":['))
  const hasThinking = (type: string) =>
    bodies.some((body) => new RegExp(`"thinking":\\{[^}]*"type":"${type}"`).test(body))
  const hasBudget = hasThinking('enabled')
  const thinks = reasoningTokens !== undefined || hasBudget || hasThinking('adaptive')
  return conversationFrom({
    price,
    dearestInput: bodies.some((body) => body.includes('"ttl":"1h"'))
      ? price.cacheWrite1h
      : bodies.some((body) => body.includes('"cache_control"'))
        ? price.cacheWrite
        : price.input,
    smallestClosingTokens: SMALLEST_ANSWER + (thinks ? SMALLEST_THINKING : 0),
    ...(hasBudget ? { leastCapTokens: SMALLEST_THINKING + 1 } : {}),
    calls: callsIn(entries).slice(0, -1),
  })
}

function missing(model: string): never {
  throw new RangeError(`The provider has no price for "${model}"`)
}
