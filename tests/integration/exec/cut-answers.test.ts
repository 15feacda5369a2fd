import { describe, expect, it } from 'vitest'
import type { ProviderScript } from '../../../src/testing/provider/index.ts'
import { createMachineHere } from './machine-here.ts'

const LONG = 'word '.repeat(20_000)

/** Asks in the three ways in which clients do, one request for each text; ends with the code that it makes of the last. */
function client({ asks, failsWhenCut }: { readonly asks: readonly object[]; readonly failsWhenCut: boolean }) {
  const script = `
const base = process.env.OPENAI_BASE_URL
const headers = { 'content-type': 'application/json', authorization: 'Bearer none' }
let text = ''
for (const ask of ${JSON.stringify(asks)}) {
  const { path, ...body } = ask
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  text = await response.text()
  if (!response.ok) { console.error(text); process.exit(3) }
}
process.exit(${failsWhenCut} && /incomplete_details|"length"/.test(text) ? 1 : 0)`
  return [process.execPath, '--input-type=module', '-e', script]
}

const FUNCTION = { name: 'look', parameters: { type: 'object', properties: {} } }
const responses = (stream: boolean, tools = [{ type: 'function', strict: false, ...FUNCTION }]) => ({
  path: '/responses',
  model: 'gpt-4.1-mini',
  input: [{ role: 'user', content: 'go' }],
  stream,
  tools,
})
const chat = (stream: boolean, more: object = {}) => ({
  path: '/chat/completions',
  model: 'gpt-4.1-mini',
  messages: [{ role: 'user', content: 'go' }],
  stream,
  tools: [{ type: 'function', function: FUNCTION }],
  ...more,
})

const says = (...texts: readonly string[]): ProviderScript => texts.map((text) => ({ text }))

describe('a command whose last answer was cut by our cap', () => {
  it.each([
    ['fails by itself, as Codex does', responses(true), true],
    ['fails by itself, without a stream', responses(false), true],
    ['ends with 0', responses(true), false],
    ['ends with 0, having asked for more', chat(true, { max_tokens: 30_000 }), false],
    ['ends with 0, having asked for no cap', chat(false), false],
  ] as const)('has reached its limit if it %s', async (_, ask, failsWhenCut) => {
    const { exec, said } = await createMachineHere(says(LONG))
    // With a closing call, that would take the place of the answer.
    const flags = ['--limit', 'cost=0.01', '--no-wrap-up']
    const { exitCode, report } = await exec(flags, client({ asks: [ask], failsWhenCut }))
    expect(exitCode).toBe(124)
    expect(report).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'cost', limit: 10_000_000, scopePath: report.path },
      clamps: 1,
      commandEnd: { code: failsWhenCut ? 1 : 0 },
    })
    expect(said.error).toMatch(/\n {2}The last answer was cut off by the cost limit: The cost limit of .*\n/)
  })

  it('has completed if a later answer was not cut', async () => {
    const { exec, said } = await createMachineHere(says(LONG, 'Done.'))
    // The first is cut at the cap that a request without one is given.
    const asks = [chat(false), chat(false)]
    expect(await exec(['--limit', 'cost=1'], client({ asks, failsWhenCut: false }))).toMatchObject({
      exitCode: 0,
      report: { status: 'completed', breach: null, clamps: 1 },
    })
    expect(said.error).not.toContain('was cut off')
  })

  it('has completed if the cap that cut it was its own', async () => {
    const { exec } = await createMachineHere(says(LONG))
    const ask = chat(false, { max_tokens: 100 })
    expect(await exec(['--limit', 'cost=1'], client({ asks: [ask], failsWhenCut: false }))).toMatchObject({
      exitCode: 0,
      report: { status: 'completed', clamps: 0 },
    })
  })

  it('has reached its limit even if a title was requested afterwards', async () => {
    const { exec } = await createMachineHere(says(LONG, 'A title'))
    const { tools: _, ...title } = chat(false, { max_tokens: 300 })
    const asks = [responses(false), title]
    expect(await exec(['--limit', 'cost=1'], client({ asks, failsWhenCut: false }))).toMatchObject({
      exitCode: 124,
      report: { status: 'limit-reached', breach: { meter: 'cost' }, calls: 2 },
    })
  })
})
