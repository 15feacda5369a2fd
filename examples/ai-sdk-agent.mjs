// An agent that would never stop, under a budget: three tool calls, and then an answer.
import { jsonSchema, ToolLoopAgent, tool } from 'ai'
import { createGovernor } from 'stint'
import { governed, runGoverned } from 'stint/adapters/ai-sdk'
import { createScriptedLanguageModel } from 'stint/testing/ai-sdk'

/** @type {import('ai').Schema<{ path: string }>} */
const inputSchema = jsonSchema({ type: 'object', properties: { path: { type: 'string' } } })
const tools = {
  read: tool({ description: 'Reads a file.', inputSchema, execute: async ({ path }) => `text of ${path}` }),
}
// In place of e.g. anthropic('claude-sonnet-4-5').
const model = createScriptedLanguageModel(function* () {
  for (let file = 1; ; file++) {
    yield { text: `I have read ${file - 1} files.`, toolCalls: [{ name: 'read', arguments: { path: `${file}.ts` } }] }
  }
})

const governor = createGovernor()
const scope = await governor.open({ name: 'triage', limits: { toolCalls: 3, tokens: '50k', time: '10m' } })
const agent = new ToolLoopAgent(governed(scope, { model, tools, instructions: 'You read files.' }))
const { status, partialOutput, usage } = await runGoverned(scope, agent, 'Read everything.')

console.log(status) // limit-reached
console.log(partialOutput) // I have read 4 files.
console.log(`${usage.toolCalls.settled} tool calls, ${usage.modelCalls.settled} model calls`) // 3 tool calls, 5 model calls
console.log(model.book[2]?.request.messages.at(-1)?.content)
// text of 2.ts
//
// [budget: 1 of 3 tool calls left — finalize now]
await governor.close()
