// review.chain.yaml without a key: its plan, and the whole chain, with a provider that follows a script.
import { join } from 'node:path'
import { createMachine } from './support/machine.mjs'

const CHANGE = { files: ['src/cart.ts', 'src/tax.ts'].map((path) => ({ path, what: 'prices are rounded' })) }

// The first step lists files, the second reviews each of them, the third sums up.
const machine = await createMachine(({ userText }) => {
  if (userText.startsWith('Which files')) return { text: JSON.stringify(CHANGE) }
  const [, file] = /^Review (\S+)/.exec(userText) ?? []
  return { text: file === undefined ? 'Two files reviewed, one mistake.' : `${file}: line 7 rounds twice.` }
})
const chain = [join(import.meta.dirname, 'review.chain.yaml'), 'the current diff', '--model', 'openai/gpt-5-mini']

const plan = JSON.parse((await machine.stint('plan', ...chain, '--limit', 'cost=2', '--json')).stdout)
console.log(`at most ${plan.agents} agents, ${plan.fits ? 'within' : 'maybe beyond'} the limit`) // at most 14 agents, maybe beyond the limit

const run = JSON.parse((await machine.stint('chain', ...chain, '--limit', 'cost=2', '--json')).stdout)
console.log(run.counts) // 4 completed
console.log(run.output) // Two files reviewed, one mistake.
for (const { output } of run.results.slice(1, 3)) console.log(output)
// src/cart.ts: line 7 rounds twice.
// src/tax.ts: line 7 rounds twice.
await machine.remove()
