import { describe, expect, it } from 'vitest'
import { relayEvents } from './index.ts'

describe('relayEvents', () => {
  it('answers in order, even if more is pushed before the last answer', async () => {
    const waiting: (() => void)[] = []
    const relay = relayEvents({
      isPassive: false,
      onEvent: ({ data, bytes }) =>
        data === 'wait' ? new Promise((admit) => waiting.push(() => admit(`data: waited\n\n`))) : bytes,
      onEnd: () => 'data: end\n\n',
    })
    const order: string[] = []
    const note = async (name: string, answer: Buffer | Promise<Buffer>) => order.push(`${name} ${await answer}`.trim())
    const all = [
      note('first', relay.push(Buffer.from('data: 1\n\ndata: wait\n\nda'))),
      note('second', relay.push(Buffer.from('ta: 2\n\ndata: 3'))),
      note('third', relay.end()),
    ]
    expect(order).toEqual([])
    for (const admit of waiting) admit()
    await Promise.all(all)
    expect(order).toEqual(['first data: 1\n\ndata: waited', 'second data: 2', 'third data: 3data: end'])
  })

  it('answers immediately if nothing has to wait', () => {
    const relay = relayEvents({ isPassive: false, onEvent: ({ bytes }) => bytes, onEnd: () => null })
    expect(relay.push(Buffer.from('data: 1\n\n'))).toEqual(Buffer.from('data: 1\n\n'))
    expect(relay.end()).toEqual(Buffer.alloc(0))
  })
})
