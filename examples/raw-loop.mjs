// An agent loop of your own, with plain fetch and no framework: three tool calls, and then an answer.
import { appendHint, createGovernor, estimateInput } from 'stint'
import { createScriptedProvider, loopForEver } from 'stint/testing/provider'

// In place of https://api.anthropic.com: a model that would read forever.
const provider = await createScriptedProvider({
  script: loopForEver({ toolName: 'read', closing: 'I have read three pages.' }),
})
const model = 'claude-sonnet-4-5'
const tools = [{ name: 'read', description: 'Reads the next page.', input_schema: { type: 'object' } }]

const governor = createGovernor()
const run = await governor.open({ name: 'reader', limits: { toolCalls: 3, cost: 0.1, time: '10m' }, wrapUp: true })
/** @type {{ role: string, content: unknown }[]} */
const messages = [{ role: 'user', content: `Read everything. ${run.promptLine()}` }]

/** Sends the conversation, with the output cap that the budget allows. */
function ask(choice) {
  return async ({ maxOutputTokens, signal }) => {
    const response = await fetch(`${provider.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'made-up', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model, max_tokens: maxOutputTokens, messages, tools, tool_choice: { type: choice } }),
      signal,
    })
    const answer = await response.json()
    // With `status` and `headers` the governor knows that the provider refused, and charges nothing.
    const { ok, status, headers } = response
    if (!ok) throw Object.assign(new Error(answer.error.message), { status, headers })
    const { input_tokens: inputTokens, output_tokens: outputTokens } = answer.usage
    return { value: answer.content, usage: { inputTokens, outputTokens } }
  }
}

/** What the next request needs, with the prompt as it is now. */
function call(maxOutputTokens) {
  const inputTokens = estimateInput({ model, addedText: JSON.stringify({ messages, tools }) })
  return { model, inputTokens, maxOutputTokens }
}

let answer = null
let isOver = false
while (answer === null && !isOver) {
  const asked = await run.callModel(call(2_000), ask('auto'))
  if (asked.kind !== 'done') break
  messages.push({ role: 'assistant', content: asked.value })
  const [{ id, name, text }] = asked.value
  if (id === undefined) answer = text
  else {
    const read = await run.callTool({ name }, async () => 'the text of a page')
    isOver = read.kind !== 'done'
    const content = read.kind === 'done' ? appendHint(read.value, await run.hint()) : 'This call was not run.'
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
  }
}
if (answer === null) {
  // A limit ended the loop: one last call, without tools, is paid from what was held back for it.
  messages.push({ role: 'user', content: 'Your budget is used up. Answer with what you have.' })
  const closing = await run.callWrapUp(call(1_000), ask('none'))
  if (closing.kind === 'done') answer = closing.value[0].text
}
await run.close()

console.log(run.status(), '·', answer) // limit-reached · I have read three pages.
const { toolCalls, modelCalls, cost } = await run.usage()
console.log(toolCalls.settled, 'tool calls,', modelCalls.settled, 'model calls') // 3 tool calls, 5 model calls
console.log(cost.settled === provider.book().costNanoUsd, cost.settled <= 100_000_000) // true true
await provider.close()
