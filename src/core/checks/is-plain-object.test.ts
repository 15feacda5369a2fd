import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { isPlainObject } from './is-plain-object.ts'

describe('isPlainObject', () => {
  it('accepts objects from literals and parsers of any realm', () => {
    for (const value of [{}, { cost: 1 }, Object.create(null), JSON.parse('{"__proto__":{"cost":1}}')]) {
      expect(isPlainObject(value)).toBe(true)
    }
    expect(isPlainObject(runInNewContext('({ cost: 1 })'))).toBe(true)
    expect(isPlainObject(runInNewContext('JSON.parse("{}")'))).toBe(true)
  })

  it('rejects anything that may have inherited fields', () => {
    class Limits {
      readonly cost = 1
    }
    const bare = Object.assign(Object.create(null), { cost: 1 })
    const disguised = Object.assign(Object.create(null), { cost: 1, isPrototypeOf: 1 })
    const hidden = Object.defineProperty(Object.create(null), 'cost', { value: 1 })
    for (const value of [new Limits(), Object.create(bare), Object.create(disguised), Object.create(hidden)]) {
      expect(isPlainObject(value)).toBe(false)
    }
    for (const value of [Object.create({}), new Map(), new Date(), [], null, 'text', () => 1]) {
      expect(isPlainObject(value)).toBe(false)
    }
  })
})
