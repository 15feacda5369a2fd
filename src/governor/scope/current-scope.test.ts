import { describe, expect, it } from 'vitest'
import { type CurrentPlace, currentPlace, runAt } from './current-scope.ts'

describe('the current place', () => {
  it('is passed on to everything that code starts there, and is null outside', async () => {
    const place = { scope: { id: 'run' }, call: null } as unknown as CurrentPlace
    const inner = { scope: { id: 'child' }, call: null } as unknown as CurrentPlace
    const seen = await runAt(place, async () => {
      await Promise.resolve()
      const below = await runAt(inner, async () => currentPlace()?.scope.id)
      return [below, currentPlace()?.scope.id]
    })
    expect(seen).toEqual(['child', 'run'])
    expect(currentPlace()).toBe(null)
  })
})
