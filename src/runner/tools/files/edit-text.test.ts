import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editText } from './edit-text.ts'

const edit = (text: string, oldText: string, newText: string, replaceAll = false) =>
  editText(text, { oldText, newText, replaceAll })

describe('an edit of a text', () => {
  it('replaces a unique text, and says where', () => {
    expect(edit('a\nb\nc\n', 'b', 'B')).toEqual({ kind: 'edited', text: 'a\nB\nc\n', count: 1, firstLine: 2 })
  })

  it('replaces a repeated text only if all occurrences are meant', () => {
    expect(edit('x\ny\nx\nx', 'x', 'z')).toEqual({ kind: 'not-unique', count: 3, lines: [1, 3, 4] })
    expect(edit('x\ny\nx', 'x', 'z', true)).toMatchObject({ text: 'z\ny\nz', count: 2 })
    expect(edit('abc', 'x', 'z')).toEqual({ kind: 'not-found' })
  })

  it('keeps the line endings of the file', () => {
    expect(edit('a\r\nb\r\nc\r\n', 'a\nb', 'a\nnew\nb')).toMatchObject({ text: 'a\r\nnew\r\nb\r\nc\r\n' })
    expect(edit('a\r\nb\r\n', 'b', 'x\ny')).toMatchObject({ text: 'a\r\nx\r\ny\r\n' })
    expect(edit('a\nb\n', 'b', 'x\ny')).toMatchObject({ text: 'a\nx\ny\n' })
  })

  it('refuses a result that would fill the memory', () => {
    expect(edit('a'.repeat(1_000_000), 'a', 'b'.repeat(1_000_000), true)).toEqual({ kind: 'too-long' })
  })

  it('takes both texts literally, not as patterns', () => {
    expect(edit('price: $1 (a.b)', '$1 (a.b)', "$& $1 $` $'")).toMatchObject({ text: "price: $& $1 $` $'" })
  })

  it('changes nothing but the old text, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, after, put) => {
        fc.pre(![before, old, after, put].some((text) => text.includes('\n')) && !(before + after).includes(old))
        const edited = edit(`${before}\u0000${old}\u0000${after}`, `\u0000${old}\u0000`, put)
        expect(edited).toMatchObject({ kind: 'edited', text: before + put + after })
      }),
    )
  })
})
