import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMachineHere } from './machine-here.ts'

describe('stint exec', () => {
  it('shows the assumed usage of a call that was cut separately from the known usage', async () => {
    const { exec, agent, said, run } = await createMachineHere([
      { toolCalls: [{ name: 'look', arguments: {} }] },
      { fault: { kind: 'no-answer' } },
    ])
    const { report } = await exec(['--limit', 'cost=1', '--limit', 'turns=5'], agent)
    expect(said.error).toMatch(/modelCalls 2, .*cost \$0\.\d+ of \$1\.00, of which \$0\.\d+ assumed/)
    expect(said.error).toContain('The usage of 1 call is unknown: it was cut off.')
    expect(report).toMatchObject({
      usage: { modelCalls: { assumed: 1, refused: 0 }, toolCalls: { settled: 1, assumed: 0 } },
    })
    expect(report.usage.cost!.assumed).toBeGreaterThan(0)
    expect(report.usage.cost!.assumed).toBeLessThan(report.usage.cost!.settled ?? 0)
    await run('assumed', 'list', '--json')
    expect(JSON.parse(said.out).reservations).toMatchObject([{ charged: { costNanoUsd: report.usage.cost!.assumed } }])
  })

  it("ends a command whose provider refuses everything: 1, with the provider's message", async () => {
    const busy = {
      fault: { kind: 'status', status: 429, message: 'Slow down, please.', retryAfterSeconds: 0 },
    } as const
    const { exec, agent, folder, said, provider } = await createMachineHere(() => busy)
    const stubborn = join(folder, 'stubborn.mjs')
    const body = JSON.stringify({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'go' }], max_tokens: 50 })
    writeFileSync(
      stubborn,
      `for (;;) await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer x' }, body: ${JSON.stringify(body)} }).then((answer) => answer.text())`,
    )
    const { exitCode, report } = await exec(['--limit', 'modelCalls=3', '--grace', '1s'], [agent[0]!, stubborn])
    expect({ exitCode, status: report.status, refused: report.usage.modelCalls?.refused }).toEqual({
      exitCode: 1,
      status: 'failed',
      refused: 20,
    })
    expect(provider.requestCount).toBe(20)
    expect(report.usage.modelCalls?.settled).toBe(0)
    expect(said.error).toContain('modelCalls 0 of 3, 20 refused')
    expect(said.error).toContain(
      'The provider refused 20 calls in a row: The provider answered with status 429: Slow down, please.',
    )
  })

  it('pauses a command whose upstream leaves two calls unfinished, and says why', async () => {
    const { exec, said, folder, agent } = await createMachineHere(() => ({ fault: { kind: 'no-answer' } }))
    const again = join(folder, 'again.mjs')
    const body = JSON.stringify({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'go' }], max_tokens: 50 })
    writeFileSync(
      again,
      `for (let call = 0; call < 2; call++) await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer x' }, body: ${JSON.stringify(body)} }).then((answer) => answer.text())`,
    )
    const { exitCode, report } = await exec(['--limit', 'cost=1'], [agent[0]!, again])
    expect({ exitCode, status: report.status }).toEqual({ exitCode: 75, status: 'paused' })
    expect(said.error).toContain('left 2 calls in a row unfinished')
    expect(report.reason).toContain('left 2 calls in a row unfinished')
  })
})
