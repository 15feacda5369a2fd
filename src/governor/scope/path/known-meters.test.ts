import { describe, expect, it } from 'vitest'
import { METER_NAMES } from '../../../core/index.ts'
import { createGovernorFixture } from '../../fixtures/governor.fixture.ts'
import { createPair } from '../../fixtures/governor-pair.fixture.ts'
import type { Scope } from '../../governor.ts'
import { edgeOf } from '../../scope-edge.ts'

const LIMITS = { turns: 9, modelCalls: 5, tokens: '10k', time: '1m', messages: 20 }

/** The same meters according to the ledger. */
async function read(scope: Scope) {
  const usage = await scope.usage()
  return METER_NAMES.flatMap((meter) => {
    const { limit, settled, written } = usage[meter]
    return limit === null ? [] : [{ meter, written, limit, settled }]
  })
}

async function spend(scope: Scope): Promise<void> {
  const spec = { model: 'unpriced', inputTokens: 10, maxOutputTokens: 20, messages: 3 }
  await scope.callModel(spec, async () => ({ value: null, usage: { inputTokens: 12, outputTokens: 5 } }))
  await scope.callTool({ name: 'read' }, () => 'text')
}

describe('the meters of a scope as known without asking the store', () => {
  it('match the store after calls in it and below it', async () => {
    const { governor, clock } = createGovernorFixture()
    const scope = await governor.open({ name: 'run', limits: LIMITS })
    expect(edgeOf(scope).knownMeters()).toEqual(await read(scope))
    await spend(scope)
    await spend(await scope.open({ name: 'child' }))
    await clock.advance(1_500)
    const known = edgeOf(scope).knownMeters()
    expect(known).toEqual(await read(scope))
    expect(known.find(({ meter }) => meter === 'toolCalls')).toEqual({
      meter: 'toolCalls',
      written: 'turns',
      limit: 9,
      settled: 2,
    })
  })

  it('start with what a found scope has spent', async () => {
    const { ours, theirs } = createPair()
    const scope = await ours.open({ name: 'run', id: 'run-1', limits: LIMITS })
    await spend(scope)
    const found = (await theirs.find('run-1'))!
    const counted = ({ meter }: { readonly meter: string }) => meter !== 'messages'
    expect(edgeOf(found).knownMeters().filter(counted)).toEqual((await read(found)).filter(counted))
  })

  it('learn from each hint what others have spent', async () => {
    const { ours, theirs } = createPair()
    const scope = await ours.open({ name: 'run', id: 'run-1', limits: LIMITS })
    await spend(scope)
    await spend((await theirs.find('run-1'))!)
    const turns = () =>
      edgeOf(scope)
        .knownMeters()
        .find(({ meter }) => meter === 'toolCalls')?.settled
    expect(turns()).toBe(1)
    await scope.hint()
    expect(turns()).toBe(2)
    await spend(scope)
    expect(edgeOf(scope).knownMeters()).toEqual(await read(scope))
  })
})
