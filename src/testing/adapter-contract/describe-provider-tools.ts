import type { ScriptedBookEntry, ScriptedModel } from '../../scripted/scripted-model.ts'
import type { Script } from '../../scripted/scripted-types.ts'
import type { AdapterContract } from './contract.ts'
import { readTool } from './contract-stage.ts'

const NANO_USD = 1_000_000_000
// The prices of the contract's model: $1 and $5 per million tokens, a cent per search.
const INPUT_NANO_USD = 1_000
const OUTPUT_NANO_USD = 5_000
const SEARCH_NANO_USD = 10_000_000

/** Provider-run tools, and the input that they make the provider read again. */
export function describeProviderTools({ describe, itNeeds, expect, stage }: AdapterContract): void {
  describe('provider-run tools', () => {
    for (const cost of [0.06, 0.12, 0.3, 1, 3]) {
      const title = `D2: never over $${cost} with up to 5 searches in each request, which are charged as they were made`
      itNeeds('bound-searches', title, async () => {
        const { model, run, scope } = await stage({
          script: searchesForEver(5, 10_000),
          limits: { cost },
          maxWebSearches: 5,
          tools: [readTool({ execute: () => 'word '.repeat(500) })],
        })
        const { status, partialOutput } = await run()
        expect([status, partialOutput]).toEqual(['limit-reached', 'Found so far: x.'])
        const usage = await scope.usage()
        expect(usage.cost).toMatchObject({ settled: billOf(model), overrun: 0, reserved: 0, held: 0 })
        expect(billOf(model) <= cost * NANO_USD).toBe(true)
        const bounds = model.book.map(({ request }) => request.maxWebSearches ?? 0)
        expect(Math.max(...bounds) <= 5).toBe(true)
        // Enough for a search and its results, or too little for one.
        expect(searchesIn(model) > 0).toBe(cost > 0.06)
      })
    }

    itNeeds(
      'bound-searches',
      'D2: never over a limit on tokens: the prompt is read again after each search',
      async () => {
        const { model, run, scope } = await stage({
          script: searchesForEver(5, 10_000),
          limits: { tokens: '400k' },
          maxWebSearches: 5,
          prompt: 'word '.repeat(2_000),
        })
        const { status, partialOutput } = await run()
        expect([status, partialOutput]).toEqual(['limit-reached', 'Found so far: x.'])
        const billed = model.book.reduce((sum, entry) => sum + entry.billed.inputTokens + entry.billed.outputTokens, 0)
        expect((await scope.usage()).tokens).toMatchObject({ settled: billed, overrun: 0, reserved: 0, held: 0 })
        expect(searchesIn(model) > 0).toBe(true)
      },
    )

    itNeeds(
      'bound-searches',
      'D2: searches, and the input read again after them, are reserved before a request is sent',
      async () => {
        const { agent, model, runOther, scope } = await stage({
          script: searchesForEver(5, 10_000),
          limits: { cost: 3 },
          maxWebSearches: 5,
        })
        const reserved: number[] = []
        const watched: ScriptedModel = {
          book: model.book,
          async call(request) {
            reserved.push((await scope.usage()).cost.reserved)
            return model.call(request)
          },
        }
        await runOther({ ...agent, model: watched })
        expect(searchesIn(model) > 0).toBe(true)
        expect(model.book.map((entry, place) => chargeOf(entry) <= reserved[place]!)).toEqual(
          model.book.map(() => true),
        )
      },
    )

    for (const toolCalls of [1, 2, 4, 9]) {
      const title = `A2: searches and calls of the agent’s own tools are counted together, under toolCalls: ${toolCalls}`
      itNeeds('bound-searches', title, async () => {
        const { model, ran, run, scope } = await stage({
          script: searchesForEver(2, 1_000),
          limits: { toolCalls },
          maxWebSearches: 3,
        })
        expect(await run()).toMatchObject({ status: 'limit-reached', breach: { meter: 'toolCalls' } })
        const usage = await scope.usage()
        expect(usage.toolCalls).toMatchObject({ settled: ran.length + searchesIn(model), overrun: 0, reserved: 0 })
        expect(ran.length > 0).toBe(true)
        for (const { request } of model.book) expect((request.maxWebSearches ?? 0) <= Math.min(3, toolCalls)).toBe(true)
      })
    }

    itNeeds('bound-searches', 'J9: the list of tools stays the same until the end, so caches stay valid', async () => {
      for (const limits of [{ cost: 0.06 }, { cost: 1 }, { toolCalls: 1 }, { toolCalls: 6 }]) {
        const { model, run } = await stage({ script: searchesForEver(1, 1_000), limits, maxWebSearches: 3 })
        await run()
        const names = model.book.map(({ request }) => JSON.stringify(request.tools?.map(({ name }) => name)))
        expect(new Set(names).size).toBe(1)
        expect(model.book.length > 1).toBe(true)
      }
    })
  })
}

/** A model that searches as often as each request allows, and also calls a tool of the agent. */
function searchesForEver(webSearches: number, searchTokens: number): Script {
  return function* () {
    for (let count = 1; ; count++) {
      const toolCalls = [{ name: 'read', arguments: { path: String(count) } }]
      yield { text: 'Found so far: x.', toolCalls, webSearches, searchTokens }
    }
  }
}

function searchesIn({ book }: ScriptedModel): number {
  return book.reduce((sum, { answer }) => sum + (answer?.webSearches ?? 0), 0)
}

/** What the provider charges. */
function billOf({ book }: ScriptedModel): number {
  return book.reduce((sum, entry) => sum + chargeOf(entry), 0)
}

function chargeOf({ answer, billed }: ScriptedBookEntry): number {
  const { inputTokens, outputTokens } = billed
  const searches = (answer?.webSearches ?? 0) * SEARCH_NANO_USD
  return inputTokens * INPUT_NANO_USD + outputTokens * OUTPUT_NANO_USD + searches
}
