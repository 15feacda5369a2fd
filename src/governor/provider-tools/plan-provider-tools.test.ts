import { describe, expect, it } from 'vitest'
import { createPriceBook, parsePrices, readAgain } from '../../pricing/index.ts'
import { createGovernor } from '../create-governor.ts'
import { edgeOf } from '../scope-edge.ts'
import type { ListedTools, ProviderRunTool, ProviderToolsQuestion } from './provider-run-tool.ts'

const prices = createPriceBook({
  overrides: parsePrices({ m: { input: 0.1, output: 5, webSearch: 0.01, fileSearch: 0.005 } }),
})
const SPEC = { model: 'm', inputTokens: 1_000, maxOutputTokens: 100 }
const EACH: ProviderRunTool = { maxUses: 3, isBoundable: true, isWebSearch: false }
const SEARCH: ProviderRunTool = { ...EACH, isWebSearch: true }
const TOGETHER: ProviderRunTool = { maxUses: null, isBoundable: true, isBoundTogether: true, isWebSearch: false }
const WILD: ProviderRunTool = { maxUses: null, isBoundable: false, isWebSearch: false }

async function planned(limits: object, tools: readonly ProviderRunTool[], more: Partial<ProviderToolsQuestion> = {}) {
  const scope = await createGovernor({ prices }).open({ name: 'run', limits })
  return edgeOf(scope).planProviderTools(SPEC, { tools, hasClientTools: false, ...more })
}

describe('planProviderTools', () => {
  it('without a limit that the tools count on, changes nothing and names the searches', async () => {
    const nothing = {
      contentTokens: [undefined, undefined],
      usesTogether: null,
      toolCalls: 0,
      fileSearches: 0,
      reading: { tokens: 0, resultTokens: 0 },
      isForbidden: [false, false],
      listed: null,
    }
    for (const limits of [{}, { modelCalls: 3 }, { cost: { max: 1, action: 'warn' } }]) {
      expect(await planned(limits, [SEARCH, WILD])).toEqual({
        ...nothing,
        uses: [undefined, undefined],
        webSearches: 3,
      })
    }
  })

  it('reserves the reread prompt for each use that it grants', async () => {
    const { uses, reading } = await planned({ tokens: 1_000_000 }, [EACH])
    expect(uses).toEqual([3])
    expect(reading).toEqual({ tokens: readAgain(1_000, 3), resultTokens: 30_000 })
  })

  it('leaves one tool call for the client’s tools', async () => {
    expect((await planned({ toolCalls: 2 }, [EACH])).uses).toEqual([2])
    expect((await planned({ toolCalls: 2 }, [EACH], { hasClientTools: true })).uses).toEqual([1])
    expect(await planned({ toolCalls: 1 }, [EACH], { hasClientTools: true })).toMatchObject({ uses: [null] })
  })

  it('sets one bound for tools that share it, and leaves the rest for others', async () => {
    const plan = await planned({ toolCalls: 6 }, [EACH, TOGETHER, TOGETHER])
    expect(plan).toMatchObject({ uses: [1, undefined, undefined], usesTogether: 5, toolCalls: 6 })
  })

  it('allows as many searches as a tenth of the money pays for, together or separately', async () => {
    const together = { ...TOGETHER, isWebSearch: true }
    expect(await planned({ cost: 0.2 }, [SEARCH, SEARCH])).toMatchObject({ uses: [2, null], webSearches: 2 })
    expect(await planned({ cost: 0.2 }, [together, TOGETHER])).toMatchObject({ usesTogether: 2, webSearches: 2 })
    expect(await planned({ cost: 0.09 }, [together, TOGETHER])).toMatchObject({
      uses: [null, undefined],
      usesTogether: 5,
      webSearches: 0,
    })
  })

  it('counts file searches and charges them like web searches; among tools with a shared bound, each use may be the most expensive', async () => {
    const inFiles = { ...TOGETHER, isFileSearch: true }
    expect(await planned({}, [inFiles])).toMatchObject({ webSearches: 0, fileSearches: 5 })
    expect(await planned({ cost: 9 }, [inFiles])).toMatchObject({ usesTogether: 5, webSearches: 0, fileSearches: 5 })
    expect(await planned({ cost: 0.12 }, [inFiles])).toMatchObject({ usesTogether: 2, fileSearches: 2 })
    expect(await planned({ cost: 0.04 }, [inFiles])).toMatchObject({ uses: [null], fileSearches: 0 })
    const both = [inFiles, { ...TOGETHER, isWebSearch: true }]
    expect(await planned({ cost: 0.2 }, both)).toMatchObject({ usesTogether: 2, webSearches: 2, fileSearches: 0 })
  })

  it('bounds the result of one use if the request can, and reserves as much', async () => {
    const fetching = (contentTokens: number | null) => ({ ...EACH, maxUses: 1, contentTokens })
    const bounded = async (tokens: number, contentTokens: number | null) => {
      const { uses, contentTokens: contents, reading } = await planned({ tokens }, [fetching(contentTokens)])
      return [uses[0], contents[0], reading.tokens]
    }
    expect(await bounded(1_000_000, null)).toEqual([1, 10_000, 11_000])
    expect(await bounded(1_000_000, 2_000)).toEqual([1, undefined, 11_000])
    expect(await bounded(1_000_000, 60_000)).toEqual([1, undefined, 61_000])
    // Too expensive as requested: its results are bounded before it is left out.
    expect(await bounded(100_000, 60_000)).toEqual([1, 10_000, 11_000])
    expect(await bounded(20_000, 60_000)).toEqual([null, 10_000, 0])
    expect((await planned({ toolCalls: 3 }, [fetching(null)])).contentTokens).toEqual([undefined])
  })

  it('removes what cannot be bounded, unless it is allowed; then five searches are assumed', async () => {
    expect((await planned({ tokens: 1_000_000 }, [WILD])).uses).toEqual([null])
    const search = { ...WILD, isWebSearch: true }
    const allowed = await planned({ cost: 9 }, [WILD, search], { allowsUnbounded: true })
    expect(allowed).toMatchObject({ uses: [undefined, undefined], webSearches: 5 })
  })

  it('removes separately priced tools only under a cost limit', async () => {
    const container = { ...EACH, hasOwnPrice: true }
    expect((await planned({ cost: 9 }, [container])).uses).toEqual([null])
    expect((await planned({ tokens: 1_000_000 }, [container])).uses).toEqual([3])
  })

  it('keeps the list of the first request, with one use reserved for each tool on it', async () => {
    const scope = await createGovernor({ prices }).open({ name: 'run', limits: { toolCalls: 6 } })
    const plan = (listed: ListedTools | null = null) =>
      edgeOf(scope).planProviderTools(SPEC, { tools: [SEARCH], hasClientTools: true, listed })
    const spend = async (calls: number) => {
      for (let call = 0; call < calls; call++) await scope.callTool({ name: 'read' }, async () => 'x')
    }
    const first = await plan()
    expect(first).toMatchObject({ uses: [3], toolCalls: 3 })
    await spend(2)
    const second = await plan(first.listed)
    expect(second).toMatchObject({ uses: [3], toolCalls: 3 })
    await spend(1)
    const third = await plan(second.listed)
    expect(third, 'it falls to one at once: each change costs the cache').toMatchObject({ uses: [1], toolCalls: 1 })
    await spend(3)
    expect(await plan(third.listed), 'it is asked for, so that the call is refused').toMatchObject({
      uses: [1],
      toolCalls: 1,
      webSearches: 1,
    })
  })

  it('a tool without room at the first request stays out, and a bound reduced to one use is not raised again', async () => {
    const scope = await createGovernor({ prices }).open({ name: 'run', limits: { cost: 0.09 } })
    const plan = (listed: ListedTools | null) =>
      edgeOf(scope).planProviderTools(SPEC, { tools: [SEARCH], hasClientTools: true, listed })
    const { listed } = await plan(null)
    const fallen = { uses: [1], contentTokens: [undefined], resultTokens: 10_000 }
    await scope.setLimits({ cost: 9 })
    expect(await plan(listed)).toMatchObject({ uses: [null], webSearches: 0 })
    expect(await plan(fallen)).toMatchObject({ uses: [1], webSearches: 1 })
    expect(await plan(null)).toMatchObject({ uses: [3], webSearches: 3 })
  })

  it('the bound on one use’s results stays as written, and falls with the uses', async () => {
    const scope = await createGovernor({ prices }).open({ name: 'run', limits: { tokens: 600_000 } })
    const tools = [{ ...EACH, maxUses: 2, contentTokens: 60_000 }]
    const plan = (listed: ListedTools | null, inputTokens: number) =>
      edgeOf(scope).planProviderTools({ ...SPEC, inputTokens }, { tools, hasClientTools: false, listed })
    const first = await plan(null, 1_000)
    expect([first.uses, first.contentTokens]).toEqual([[1], [undefined]])
    const later = await plan(first.listed, 200_000)
    expect([later.uses, later.contentTokens, later.reading.tokens]).toEqual([[1], [10_000], readAgain(200_000, 1)])
    const last = await plan(later.listed, 1_000)
    expect([last.uses, last.contentTokens]).toEqual([[1], [10_000]])
  })

  it('forbids a tool without room if the request can, instead of removing it', async () => {
    const search = { ...TOGETHER, isWebSearch: true, isForbiddable: true }
    const other = { ...TOGETHER, isForbiddable: true }
    expect(await planned({ cost: 0.09 }, [search, other])).toMatchObject({
      uses: [undefined, undefined],
      isForbidden: [true, false],
      usesTogether: 5,
      webSearches: 0,
    })
    const none = await planned({ toolCalls: 1 }, [search, other], { hasClientTools: true })
    expect(none).toMatchObject({ uses: [undefined, undefined], isForbidden: [true, true], usesTogether: null })
    expect(none.toolCalls).toBe(0)
  })

  it('listed tools with a shared bound that cannot be forbidden keep one use', async () => {
    const search = { ...TOGETHER, isWebSearch: true }
    const first = await planned({ cost: 0.2 }, [search])
    const later = await planned({ cost: 0.09 }, [search], { listed: first.listed })
    expect(later).toMatchObject({ uses: [undefined], usesTogether: 1, webSearches: 1 })
    const { listed } = await planned({ cost: 0.09 }, [search])
    expect(await planned({ cost: 0.2 }, [search], { listed })).toMatchObject({ uses: [null], usesTogether: null })
  })

  it('always reserves one use for a tool built into the model', async () => {
    const builtIn = { ...SEARCH, maxUses: 1, isBuiltIn: true }
    expect(await planned({ cost: 0.001, toolCalls: 0 }, [builtIn])).toMatchObject({
      uses: [1],
      toolCalls: 1,
      webSearches: 1,
    })
  })
})
