// Three agents at once that spend from one pool of tool calls: together they never pass it.
import { jsonSchema, ToolLoopAgent, tool } from 'ai'
import { createGovernor } from 'stint'
import { governed, runGoverned } from 'stint/adapters/ai-sdk'
import { createScriptedLanguageModel } from 'stint/testing/ai-sdk'

let reads = 0
const tools = {
  read: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => `text ${++reads}` }),
}
const governor = createGovernor()
const pool = await governor.open({ name: 'review', limits: { toolCalls: 10, concurrency: 3 } })

const results = await Promise.all(
  ['security', 'style', 'tests'].map(async (name) => {
    const scope = await pool.open({ name, limits: { toolCalls: 5 } })
    const model = createScriptedLanguageModel(function* () {
      for (;;) yield { text: `${name}: looks good.`, toolCalls: [{ name: 'read', arguments: {} }] }
    })
    return runGoverned(scope, new ToolLoopAgent(governed(scope, { model, tools })), 'Review it.')
  }),
)

console.log(results.map(({ partialOutput }) => partialOutput).join(' ')) // security: looks good. style: looks good. tests: looks good.
console.log(reads, (await pool.usage()).toolCalls.remaining) // 10 0
await governor.close()
