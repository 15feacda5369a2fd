import { startWatch, type Visit } from './walk.ts'

const WARM = 20
const KEY = 'walk-key-0123456789'

/** One request of an agent with a tool, streamed from a provider on loopback, under two limits. */
export async function walkGatewayRequest(): Promise<readonly Visit[]> {
  const watch = startWatch()
  const { createGovernor } = await import('../../src/index.ts')
  const { startGateway } = await import('../../src/gateway/index.ts')
  const { createScriptedProvider } = await import('../../src/testing/provider/index.ts')
  const provider = await createScriptedProvider()
  const governor = createGovernor()
  const run = await governor.open({ name: 'run', limits: { cost: 1_000, toolCalls: 1_000 } })
  const gateway = await startGateway({
    upstreams: { anthropic: { baseUrl: provider.url, apiKey: null } },
    admission: { scopeOf: async () => run },
  })
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  const ask = async (): Promise<void> => {
    const response = await fetch(`${gateway.url}/k/${KEY}/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': 'made-up' },
      body: JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 500,
        stream: true,
        tools: [{ name: 'read', input_schema: { type: 'object' } }],
        messages,
      }),
    })
    await response.text()
    if (!response.ok) throw new Error(`The gateway answered with ${response.status}.`)
    messages.push({ role: 'assistant', content: 'ok' }, { role: 'user', content: 'more' })
  }
  for (let turn = 0; turn < WARM; turn++) await ask()
  watch.begin()
  await ask()
  const visits = watch.end()
  await gateway.close()
  await governor.close()
  await provider.close()
  return visits
}
