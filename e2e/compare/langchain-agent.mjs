// A LangChain agent, alone or with a subagent, each under LangChain's own limit of model calls. Prints the final answer.
// LIMIT=5 sets that limit, SUBAGENT=1 adds the subagent.
import { ChatAnthropic } from '@langchain/anthropic'
import { createAgent, modelCallLimitMiddleware, tool } from 'langchain'

const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: anthropicApiUrl, LIMIT, SUBAGENT } = process.env
const model = new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey, anthropicApiUrl })
const middleware = LIMIT ? [modelCallLimitMiddleware({ runLimit: Number(LIMIT) })] : []
const schema = { type: 'object', properties: {}, additionalProperties: true }
const task = { messages: 'Read everything.' }

const read = tool(async () => 'some text', { name: 'read', description: 'Reads the next page.', schema })
const reader = createAgent({ model, tools: [read], middleware })
const askReader = tool(async () => answerOf(await reader.invoke(task)), {
  name: 'ask_reader',
  description: 'Hands a part of the work to a reader.',
  schema,
})
const agent = SUBAGENT ? createAgent({ model, tools: [askReader], middleware }) : reader
console.log(answerOf(await agent.invoke(task)))

function answerOf({ messages }) {
  return messages.at(-1).text
}
