import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Runs a module in its own process, which does nothing else. */
function runAlone(code: string) {
  const governor = fileURLToPath(new URL('../../index.ts', import.meta.url))
  const source = `import { createGovernor } from ${JSON.stringify(governor)}\n${code}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', timeout: 100_000 })
}

describe('a process with nothing else to do', () => {
  it('C6: stays alive until the clock has stopped a hung tool', () => {
    const { stdout } = runAlone(`
      const run = await createGovernor({ graceMs: 1 }).open({ name: 'run', limits: { time: 1_000 } })
      const outcome = await run.callTool({ name: 'hung' }, () => new Promise(() => {}))
      console.log(outcome.kind, outcome.by.meter)`)
    expect(stdout).toBe('stopped time\n')
  })

  it('E3: stays alive while a call waits for an answer', () => {
    const { stdout } = runAlone(`
      const governor = createGovernor()
      const run = await governor.open({ name: 'run', limits: { toolCalls: 0 }, onLimit: 'ask' })
      const approve = ({ request }) => void setTimeout(() => governor.approve(request), 30).unref()
      governor.on('increase_requested', approve)
      const outcome = await run.callTool({ name: 'read' }, () => 'read')
      console.log(outcome.value)`)
    expect(stdout).toBe('read\n')
  })

  it('is not kept alive by a scope that is never closed', () => {
    const { status } = runAlone(`await createGovernor().open({ name: 'run', limits: { time: '1h' } })`)
    expect(status).toBe(0)
  })
})
