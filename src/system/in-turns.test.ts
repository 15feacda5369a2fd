import { describe, expect, it } from 'vitest'
import type { Steps } from '../core/index.ts'
import { inTurns, nextTurn } from './in-turns.ts'

function* pieces(count: number, onPiece: () => void): Steps<string> {
  for (let piece = 0; piece < count; piece++) {
    if (piece > 0) yield
    onPiece()
  }
  return 'done'
}

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): { readonly turns: () => number; stop(): void } {
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  return { turns: () => turns, stop: () => clearImmediate(next) }
}

describe('work in turns', () => {
  it('does one step in each turn of the event loop, and returns the result', async () => {
    const clock = countTurns()
    const doneIn: number[] = []
    expect(await inTurns(pieces(20, () => doneIn.push(clock.turns())))).toBe('done')
    clock.stop()
    expect(new Set(doneIn).size).toBe(20)
  })

  it('of several concurrent tasks, only one does a step in each turn', async () => {
    const clock = countTurns()
    const doneIn: number[] = []
    await Promise.all(Array.from({ length: 5 }, () => inTurns(pieces(10, () => doneIn.push(clock.turns())))))
    clock.stop()
    const later = doneIn.filter((turn) => turn > 0)
    expect(later).toHaveLength(45)
    expect(new Set(later).size).toBe(45)
  })

  it('a single step is done immediately, without waiting for a turn', async () => {
    const clock = countTurns()
    await inTurns(pieces(1, () => {}))
    expect(clock.turns()).toBe(0)
    await nextTurn()
    clock.stop()
    expect(clock.turns()).toBeGreaterThan(0)
  })

  it('a task that fails is over, and the ones behind it continue', async () => {
    const failing = inTurns(
      pieces(3, () => {
        throw new Error('broken')
      }),
    )
    await expect(failing).rejects.toThrow('broken')
    expect(await inTurns(pieces(3, () => {}))).toBe('done')
  })
})
