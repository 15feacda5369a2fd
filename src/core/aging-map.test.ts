import { describe, expect, it } from 'vitest'
import { createAgingMap } from './aging-map.ts'

describe('createAgingMap', () => {
  it('keeps at least the latest entries, and not many more than twice their number', () => {
    const map = createAgingMap<number>(100)
    for (let value = 0; value < 1_000; value++) map.set(`id ${value}`, value)
    for (let value = 900; value < 1_000; value++) expect(map.get(`id ${value}`)).toBe(value)
    expect(map.get('id 700')).toBeUndefined()
    expect([...map.values()].length).toBeLessThanOrEqual(200)
  })

  it('keeps needed entries, however old they are', () => {
    const map = createAgingMap<number>(10, (value) => value < 5)
    for (let value = 0; value < 1_000; value++) map.set(`id ${value}`, value)
    for (let value = 0; value < 5; value++) expect(map.get(`id ${value}`)).toBe(value)
    expect(map.get('id 5')).toBeUndefined()
  })

  it('distinguishes a stored null from an unknown key', () => {
    const map = createAgingMap<string | null>(2)
    map.set('hint', 'earlier')
    map.set('other', null)
    map.set('hint', null)
    expect(map.get('hint')).toBeNull()
    expect(map.get('unknown')).toBeUndefined()
  })
})
