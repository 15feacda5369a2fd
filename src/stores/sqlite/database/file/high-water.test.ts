import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StintError } from '../../../../core/index.ts'
import { createManualClock } from '../../../../testing/index.ts'
import { errorOf, ledgerFolder } from '../ledger-folder.fixture.ts'
import { createHighWater } from './high-water.ts'
import { highWaterFileOf } from './high-water-file.ts'

function setUp({ ledgerId = 'ledger-1' } = {}) {
  const ledger = join(ledgerFolder(), 'ledger.db')
  const clock = createManualClock({ wallMs: 1_800_000_000_000 })
  const problems: StintError[] = []
  const options = { clock, onProblem: (problem: StintError) => problems.push(problem) }
  const create = (id = ledgerId) => createHighWater(ledger, { ...options, ledgerId: id })
  return { file: highWaterFileOf(ledger), clock, problems, create, highWater: create() }
}

describe('the high-water file', () => {
  it('does not exist before the first number, and is not created by reading', () => {
    const { highWater, file } = setUp()
    expect(highWater.read()).toBeNull()
    expect(existsSync(file)).toBe(false)
  })

  it('returns the last number, with the ledger and the time', () => {
    const { highWater, create, file } = setUp({ ledgerId: 'a b/ü' })
    for (const entries of [0, 5, 2 ** 53 - 1]) highWater.write(entries)
    expect(create().read()).toEqual({ kind: 'read', ledgerId: 'a b/ü', entries: 2 ** 53 - 1, atMs: 1_800_000_000_000 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(file).size).toBe(512)
  })

  it('never goes down, whoever writes last', () => {
    const { highWater, create, file } = setUp()
    highWater.write(7)
    const bytes = readFileSync(file)
    for (const entries of [3, 7, 0]) create().write(entries)
    expect(highWater.read()).toMatchObject({ entries: 7 })
    expect(readFileSync(file)).toEqual(bytes)
  })

  it('recognizes the mark of another ledger, and lets this one replace it', () => {
    const { highWater, create } = setUp()
    for (const entries of [900, 1000]) create('ledger-0').write(entries)
    expect(highWater.read()).toMatchObject({ kind: 'read', ledgerId: 'ledger-0', entries: 1000 })
    highWater.write(1)
    expect(highWater.read()).toMatchObject({ ledgerId: 'ledger-1', entries: 1 })
  })

  it('survives a write torn at any place: the previous number remains', () => {
    const { highWater, create, file } = setUp()
    for (const entries of [10, 11]) highWater.write(entries)
    const whole = readFileSync(file)
    highWater.write(12)
    const next = readFileSync(file)
    for (let torn = 1; torn < 256; torn++) {
      writeFileSync(file, Buffer.concat([next.subarray(0, torn), whole.subarray(torn)]))
      expect(create().read()).toMatchObject({ kind: 'read', entries: expect.toSatisfy(isElevenOrTwelve) })
    }
  })

  it('is damaged, not zero, if no checksum is right', () => {
    const { highWater, file } = setUp()
    highWater.write(10)
    const whole = readFileSync(file)
    for (const place of [0, 20, 30, 60]) {
      const bytes = Buffer.from(whole)
      bytes[place] = (bytes[place] ?? 0) ^ 1
      writeFileSync(file, bytes)
      expect(highWater.read(), `byte ${place}`).toMatchObject({
        kind: 'damaged',
        reason: expect.stringContaining(file),
      })
    }
    truncateSync(file, 0)
    expect(highWater.read()).toMatchObject({ kind: 'damaged' })
  })

  it('is repaired by the next number', () => {
    const { highWater, file } = setUp()
    writeFileSync(file, 'x'.repeat(1000))
    highWater.write(4)
    expect(highWater.read()).toMatchObject({ kind: 'read', entries: 4 })
  })

  it('is damaged if unreadable, and an error names it if it cannot be written', () => {
    const { highWater, file } = setUp()
    mkdirSync(file)
    expect(highWater.read()).toMatchObject({ kind: 'damaged', reason: expect.stringContaining('EISDIR') })
    const error = errorOf(() => highWater.write(1))
    expect(error).toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(error.message).toContain(file)
  })
})

describe('a noted number', () => {
  it('is written 200 ms after the first of several, as the highest of them', async () => {
    const { highWater, clock } = setUp()
    highWater.note(5)
    await clock.advance(150)
    highWater.note(9)
    highWater.note(8)
    expect(highWater.read()).toBeNull()
    await clock.advance(50)
    expect(highWater.read()).toMatchObject({ entries: 9 })
    expect(clock.pendingTimers).toBe(0)
  })

  it('is written on close, once', () => {
    const { highWater, clock, file } = setUp()
    highWater.note(5)
    highWater.close()
    expect(highWater.read()).toMatchObject({ entries: 5 })
    expect(clock.pendingTimers).toBe(0)
    rmSync(file)
    highWater.close()
    expect(highWater.read()).toBeNull()
  })

  it('is reported if it cannot be written, without other effects', async () => {
    const { highWater, clock, problems, file } = setUp()
    mkdirSync(file)
    highWater.note(5)
    await clock.advance(200)
    expect(problems).toMatchObject([{ code: 'store_unavailable' }])
    rmSync(file, { recursive: true })
    highWater.note(6)
    await clock.advance(200)
    expect(highWater.read()).toMatchObject({ entries: 6 })
  })
})

const isElevenOrTwelve = (entries: number) => entries === 11 || entries === 12
