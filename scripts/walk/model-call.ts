import { startWatch, type Visit } from './walk.ts'

const WARM = 50

/** One call of a model under two limits, its ledger in memory. */
export async function walkModelCall(): Promise<readonly Visit[]> {
  const watch = startWatch()
  const { createGovernor, createPriceBook, parsePrices } = await import('../../src/index.ts')
  const prices = createPriceBook({ overrides: parsePrices({ 'walk-model': { input: 1, output: 5 } }) })
  const governor = createGovernor({ prices })
  const run = await governor.open({ name: 'run', limits: { cost: 1_000, toolCalls: 1_000 } })
  const call = async (): Promise<void> => {
    const spec = { model: 'walk-model', inputTokens: 1_000, maxOutputTokens: 500 }
    await run.callModel(spec, async () => ({ value: null, usage: { inputTokens: 900, outputTokens: 100 } }))
  }
  for (let index = 0; index < WARM; index++) await call()
  watch.begin()
  await call()
  const visits = watch.end()
  await governor.close()
  return visits
}
