import type { Contract } from './contract.ts'
import { limitOn } from './limit-on.ts'

/** How children are admitted. */
export function describeSpawning({ describe, test, expect }: Contract): void {
  describe('spawns', () => {
    test('announce that their limit is near when a child is opened', async (ledger) => {
      await ledger.open('run', [limitOn('spawns', 5)])
      const told: number[] = []
      for (const child of ['a', 'b', 'c', 'd', 'e']) {
        const outcome = await ledger.open(`run/${child}`)
        told.push(outcome.kind === 'opened' ? outcome.crossings.length : -1)
      }
      expect(told).toEqual([0, 0, 0, 1, 0])
      expect((await ledger.open('run/f')).kind).toBe('refused')
    })
  })
}
