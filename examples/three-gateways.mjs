// Three gateways on one ledger in Postgres, as on three machines behind a load balancer that takes turns.
import { loopForEver } from 'stint/testing/provider'
import { createMachine } from './support/machine.mjs'
import { startPostgres } from './support/postgres.mjs'

const postgres = await startPostgres()
const machine = await createMachine(loopForEver({ toolName: 'read', closing: 'This is how far I came.' }))
machine.writeConfig(`store: "${postgres.url}"
upstreams:
  openai: { baseUrl: "${machine.provider.openaiUrl}", apiKeyEnv: OPENAI_API_KEY }
`)
await machine.stint('budget', 'set', 'team:core', '--limit', 'toolCalls=5/day')
const { stdout: created } = await machine.stint('keys', 'create', 'team:core', '--name', 'ann', '--json')
const { key } = JSON.parse(created)
const servers = [1, 2, 3].map(() => machine.start('serve', '--port', '0', '--json'))
const urls = await Promise.all(servers.map(async ({ firstLine }) => JSON.parse(await firstLine).url))

// An agent that would never stop. Each of its requests goes to the next gateway.
const messages = [{ role: 'user', content: 'Read everything.' }]
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
let requests = 0
for (let answer = null; answer === null; ) {
  const response = await fetch(`${urls[requests++ % 3]}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4.1-mini', messages, tools }),
  })
  const { message } = (await response.json()).choices[0]
  messages.push(message)
  for (const call of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: call.id, content: 'read' })
  if (message.tool_calls === undefined) answer = message.content
}
console.log(requests, 'requests:', messages.at(-1)?.content) // 6 requests: This is how far I came.

// One conversation, on whichever gateway: one scope, with one closing answer.
const { stdout } = await machine.stint('status', '--all', '--json')
const conversations = JSON.parse(stdout).scopes.filter(({ path }) => path.includes('conversation'))
console.log(conversations.length, 'scope') // 1 scope
for (const server of servers) server.child.kill('SIGTERM')
await Promise.all(servers.map(({ ended }) => ended))
await machine.remove()
await postgres.stop()
