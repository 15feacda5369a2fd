import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { endProcesses } from './end-processes.ts'
import type { ProcessEntry } from './process-table.ts'

/** Processes that end on the signals listed for each, on a clock that advances as soon as a timer is set. */
async function end(processes: Readonly<Record<number, readonly string[]>>, from?: 'SIGTERM') {
  const clock = createManualClock()
  const living = new Map(Object.entries(processes).map(([pid, heeds]) => [Number(pid), heeds]))
  const sent: string[] = []
  const done = endProcesses({
    find: () => [...living.keys()].map((pid) => ({ pid, start: `s${pid}` }) as ProcessEntry),
    send({ pid }, signal) {
      sent.push(`${clock.monotonicMs()} ${pid} ${signal}`)
      if (living.get(pid)?.includes(signal)) living.delete(pid)
    },
    clock,
    graceMs: 1000,
    ...(from === undefined ? {} : { from }),
  }).then((left) => ({ left, tookMs: clock.monotonicMs() }))
  await clock.advance(10_000)
  return { ...(await done), sent }
}

describe('the signals that end a command', () => {
  it('are one if the first is obeyed', async () => {
    const { left, sent } = await end({ 1: ['SIGINT'], 2: ['SIGINT'] })
    expect([left, sent]).toEqual([[], ['0 1 SIGINT', '0 2 SIGINT']])
  })

  it('C5: are three for a process that ignores the first two, and it is gone within the grace', async () => {
    const { left, sent, tookMs } = await end({ 1: ['SIGTERM'], 2: ['SIGKILL'] })
    expect(left).toEqual([])
    expect(sent).toEqual(['0 1 SIGINT', '0 2 SIGINT', '500 1 SIGTERM', '500 2 SIGTERM', '800 2 SIGKILL'])
    expect(tookMs).toBeLessThanOrEqual(1000)
  })

  it('begin with a later one if requested', async () => {
    expect((await end({ 1: ['SIGTERM'] }, 'SIGTERM')).sent).toEqual(['0 1 SIGTERM'])
  })

  it('stop eventually if not even SIGKILL ends a process', async () => {
    const { left, sent } = await end({ 1: [] })
    expect(left).toMatchObject([{ pid: 1 }])
    expect(sent.length).toBeLessThan(110)
  })
})
