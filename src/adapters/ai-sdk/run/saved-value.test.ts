import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { savedValue, valueFromSaved } from './saved-value.ts'

const throughJson = (value: unknown) => valueFromSaved(JSON.parse(JSON.stringify(savedValue(value))))

describe('savedValue', () => {
  it('bytes, buffers and URLs keep their types', () => {
    const held = {
      bytes: new Uint8Array([1, 2, 3]),
      buffer: new Uint8Array([4, 5]).buffer,
      view: new Uint8Array([9, 1, 2, 9]).subarray(1, 3),
      address: new URL('https://example.org/a'),
    }
    const back = throughJson([{ held }]) as [{ held: typeof held }]
    expect(back).toEqual([{ held: { ...held, view: new Uint8Array([1, 2]) } }])
    expect(back[0].held.buffer).toBeInstanceOf(ArrayBuffer)
  })

  it('data that looks like our own marks stays data', () => {
    const marked = fc.constantFrom('$bytes', '$buffer', '$url', '$literal', '__proto__', 'a')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.constant(null), tie('object'), tie('list')),
      object: fc.dictionary(marked, tie('value'), { maxKeys: 2, noNullPrototype: true }),
      list: fc.array(tie('value'), { maxLength: 2 }),
    }))
    fc.assert(
      fc.property(value, (data) => {
        expect(throughJson(data)).toEqual(data)
      }),
      { numRuns: 1_000 },
    )
  })

  it('refuses what it did not write', () => {
    expect(() => valueFromSaved({ $url: 'no address' })).toThrow()
    expect(() => valueFromSaved({ $bytes: 5 })).toThrow('$bytes')
  })
})
