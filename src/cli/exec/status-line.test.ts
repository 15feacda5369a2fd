import { describe, expect, it } from 'vitest'
import type { GovernedRun, RunState } from '../../exec/index.ts'
import { createGovernor } from '../../governor/index.ts'
import { createStatusLine } from './status-line.ts'

const CLEAR = '\r\u001b[2K'

async function createLine() {
  const scope = await createGovernor().open({ name: 'triage', limits: { toolCalls: 5 } })
  const run = { path: 'triage\u001b[31m', usage: () => scope.usage() } as unknown as GovernedRun
  const written: string[] = []
  const clock = { nowMs: 0 }
  const line = createStatusLine(
    run,
    (text) => void written.push(text),
    () => clock.nowMs,
    () => 80,
  )
  const show = async (calls: number) => {
    line.show({ status: 'running', calls } as RunState)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { line, written, clock, show }
}

describe('the status line', () => {
  it('is redrawn at most once a second, and leaves the cursor at its start', async () => {
    const { written, clock, show } = await createLine()
    await show(1)
    await show(2)
    clock.nowMs = 1000
    await show(3)
    expect(written).toHaveLength(2)
    expect(written[0]!.startsWith(`${CLEAR}stint: triage`)).toBe(true)
    expect(written[0]).toContain('running · 1 call · toolCalls 0 of 5')
    expect(written[0]!.endsWith('\r')).toBe(true)
    expect(written[1]).toContain('3 calls')
    expect(written[0]!.slice(CLEAR.length)).not.toContain('\u001b')
  })

  it('disappears when it is cleared, even if a redraw was due', async () => {
    const { line, written, show } = await createLine()
    const showing = show(1)
    line.clear()
    await showing
    expect(written).toEqual([CLEAR])
  })
})
