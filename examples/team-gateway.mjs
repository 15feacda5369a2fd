// A gateway for a team: one budget, a key for each member, and the provider's key in the gateway alone.
import { loopForEver } from 'stint/testing/provider'
import { createMachine } from './support/machine.mjs'

const machine = await createMachine(loopForEver({ toolName: 'read' }))
machine.writeConfig(`upstreams:
  openai: { baseUrl: "${machine.provider.openaiUrl}", apiKeyEnv: OPENAI_API_KEY }
`)
await machine.stint('budget', 'set', 'team:core', '--limit', 'modelCalls=4/day')
const keys = await Promise.all(
  ['ann', 'ben'].map(async (name) => {
    const { stdout } = await machine.stint('keys', 'create', 'team:core', '--name', name, '--json')
    return { name, key: JSON.parse(stdout).key }
  }),
)
const server = machine.start('serve', '--port', '0', '--json')
const { url } = JSON.parse(await server.firstLine)

// Ann and Ben ask five times each, at once. The team has four calls.
const statuses = await Promise.all(
  keys.flatMap(({ key }) =>
    Array.from({ length: 5 }, async () => {
      const response = await fetch(`${url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'Hello.' }] }),
      })
      return response.status
    }),
  ),
)
console.log(statuses.sort().join(' ')) // 200 200 200 200 402 402 402 402 402 402
console.log(machine.provider.requestCount, 'requests reached the provider') // 4 requests reached the provider
const { stdout } = await machine.stint('budget', 'show', 'team:core', '--json')
const { settled, remaining } = JSON.parse(stdout).budget.usage.modelCalls
console.log(settled, 'calls used today,', remaining, 'left') // 4 calls used today, 0 left
server.child.kill('SIGTERM')
await server.ended
await machine.remove()
