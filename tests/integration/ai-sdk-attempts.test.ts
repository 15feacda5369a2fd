import { generateText } from 'ai'
import { describe, expect, it } from 'vitest'
import { governedFallback, governedModel } from '../../src/adapters/ai-sdk/index.ts'
import type { LedgerStore } from '../../src/core/index.ts'
import { createGovernor, type Scope } from '../../src/governor/index.ts'
import { createScriptedLanguageModel } from '../../src/scripted/scripted-language-model.ts'
import type { ScriptedTurn } from '../../src/scripted/scripted-types.ts'
import { createMemoryStore } from '../../src/stores/memory/index.ts'

const BUSY: ScriptedTurn = { error: { status: 529, message: 'overloaded' } }
const CALLS = ['call_settled', 'reservation_assumed'] as const

async function openScope() {
  const store = createMemoryStore()
  return { store, scope: await createGovernor({ store }).open({ name: 'run' }) }
}

/** Which attempt each call was; `undefined` for a first one. */
async function attemptsOf(store: LedgerStore, { id: scopeId }: Scope): Promise<readonly (number | undefined)[]> {
  const page = await store.history({ scopeId, kinds: CALLS, atMs: Date.now() })
  return page.kind === 'page' ? page.entries.map(({ call }) => call?.about?.attempt) : []
}

describe('the history numbers the attempts at a request', () => {
  it('of the AI SDK, until it is answered', async () => {
    const { store, scope } = await openScope()
    const model = governedModel(scope, createScriptedLanguageModel([BUSY, BUSY, { text: 'one' }, { text: 'two' }]))
    await generateText({ model, prompt: 'go', maxRetries: 2 })
    await generateText({ model, prompt: 'go' })
    expect(await attemptsOf(store, scope)).toEqual([undefined, 2, 3, undefined])
  })

  it('that move on to another model', async () => {
    const { store, scope } = await openScope()
    const first = createScriptedLanguageModel([BUSY, BUSY])
    const second = createScriptedLanguageModel([{ text: 'one' }, { text: 'two' }])
    const model = governedFallback(scope, [{ model: first }, { model: second }], { retries: 1, firstDelayMs: 1 })
    await generateText({ model, prompt: 'go' })
    await generateText({ model, prompt: 'go' })
    expect(await attemptsOf(store, scope)).toEqual([undefined, 2, 3, undefined])
  })
})
