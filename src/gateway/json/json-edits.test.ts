import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createJsonEdits,
  inBodyOrder,
  type JsonEdits,
  type JsonSpan,
  memberOf,
  readJson,
  spliceBytes,
} from './index.ts'
import { jsonText } from './json.fixture.ts'

const SHAPE = { members: { list: { elements: {} }, object: { members: {} } } } as const

function edited(text: string, change: (edits: JsonEdits, part: (key: string) => JsonSpan) => void): string {
  const body = readJson(Buffer.from(text), SHAPE)
  const edits = createJsonEdits()
  change(edits, (key) => memberOf(body.root, key)!)
  return spliceBytes(body.bytes, inBodyOrder(edits.toByteEdits())).toString()
}

describe('JSON edits', () => {
  it('change only their targets', () => {
    const text = '{ "list" : [ 1 , 2 ], "object":{ }, "text":"a\\n" , "é":1.0 }'
    const after = edited(text, (edits, part) => {
      edits.appendElement(part('list'), '3')
      edits.setMember(part('object'), 'b', 'true')
      edits.setMember(part('object'), 'c', 'null')
      edits.appendText(part('text'), '"é"\n')
    })
    expect(after).toBe('{ "list" : [ 1 , 2,3 ], "object":{"b":true,"c":null }, "text":"a\\n\\"é\\"\\n" , "é":1.0 }')
  })

  it('returns the same body if nothing changes', () => {
    const body = Buffer.from('{}')
    expect(spliceBytes(body, createJsonEdits().toByteEdits())).toBe(body)
  })

  it('refuses edits that overlap', () => {
    const body = Buffer.from('0123456789')
    const overlapping = [
      { start: 2, end: 5, text: 'x' },
      { start: 4, end: 6, text: 'y' },
    ]
    expect(() => spliceBytes(body, overlapping)).toThrow(RangeError)
    expect(() => spliceBytes(body, [{ start: 8, end: 11, text: '' }])).toThrow(RangeError)
  })

  it('match the same change of objects, for any JSON and any edits', () => {
    const entries = fc.array(jsonText, { maxLength: 5 })
    const operation = fc.record({
      remove: fc.uniqueArray(fc.nat(4)),
      replace: fc.option(fc.nat(4)),
      append: fc.array(jsonText, { maxLength: 3 }),
    })
    fc.assert(
      fc.property(entries, entries, operation, operation, jsonText, (list, object, inList, inObject, fresh) => {
        const members = object.map((value, index) => ` "k${index}" : ${value}`)
        const text = `{"before":[1.0 ],"list":[${list.join(' , ')}],"object":{${members.join(',')} },"after":"é"}`
        const after = edited(text, (edits, part) => {
          for (const index of inList.remove) if (index < list.length) edits.removeElement(part('list'), index)
          const replaced = inList.replace
          if (replaced !== null && replaced < list.length && !inList.remove.includes(replaced)) {
            edits.replace(part('list').elements[replaced]!, fresh)
          }
          for (const value of inList.append) edits.appendElement(part('list'), value)
          for (const index of inObject.remove) edits.removeMember(part('object'), `k${index}`)
          inObject.append.forEach((value, index) => void edits.setMember(part('object'), `new${index}`, value))
        })
        expect(JSON.parse(after)).toEqual({
          before: [1],
          list: changedList(list, inList, fresh).map((value) => JSON.parse(value)),
          object: Object.fromEntries([
            ...object.flatMap((value, index) =>
              inObject.remove.includes(index) ? [] : [[`k${index}`, JSON.parse(value)]],
            ),
            ...inObject.append.map((value, index) => [`new${index}`, JSON.parse(value)]),
          ]),
          after: 'é',
        })
        expect(after.startsWith('{"before":[1.0 ],"list":[')).toBe(true)
        expect(after.endsWith('},"after":"é"}')).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

interface ListChange {
  readonly remove: readonly number[]
  readonly replace: number | null
  readonly append: readonly string[]
}

function changedList(list: readonly string[], change: ListChange, fresh: string): readonly string[] {
  const changed: string[] = []
  for (const [index, value] of list.entries()) {
    if (!change.remove.includes(index)) changed.push(index === change.replace ? fresh : value)
  }
  return [...changed, ...change.append]
}
