import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from './split-front-matter.ts'

describe('front matter', () => {
  it.each([
    ['---\nname: x\n---\nbody\n', 'name: x\n', 'body\n'],
    ['---\r\nname: x\r\n---\r\nbody', 'name: x\r\n', 'body'],
    ['\uFEFF---\nname: x\n---\nbody', 'name: x\n', 'body'],
    ['---  \nname: x\n...\t\nbody', 'name: x\n', 'body'],
    ['---\n---\n', '', ''],
    ['---\nname: x\n---', 'name: x\n', ''],
    ['---\ntext: |\n  ---\nname: x\n---\n---\nbody', 'text: |\n  ---\nname: x\n', '---\nbody'],
  ])('is found in %j, and the rest is the body', (text, frontMatter, body) => {
    expect(splitFrontMatter(text)).toMatchObject({ kind: 'split', frontMatter, body })
  })

  it.each(['---js\nrequire("x")\n---\n', '--- js\n---\n', '---json\n{}\n---\n', '----\n---\n', '---\rname: x\r---\r'])(
    'G2: %j, which names a language, is refused and never evaluated',
    (text) => {
      expect(splitFrontMatter(text)).toMatchObject({ kind: 'refused', line: 1 })
    },
  )

  it.each(['', 'body', ' ---\nname: x\n---\n', '\n---\nname: x\n---\n', '--\n'])('is missing in %j', (text) => {
    expect(splitFrontMatter(text)).toMatchObject({ kind: 'missing', line: 1 })
  })

  it('that does not end, or is too long, is refused', () => {
    expect(splitFrontMatter('---\nname: x\n ---\n')).toMatchObject({ kind: 'refused' })
    const long = `---\n${'# a line of comment\n'.repeat(10_000)}---\nbody`
    expect(splitFrontMatter(long)).toMatchObject({ kind: 'refused', message: expect.stringContaining('65536') })
  })

  it('plus the body is the whole text, byte for byte', () => {
    const line = fc.constantFrom('---', '...', 'name: x', '', '  ---', '---js', '--- ', '\uFEFF')
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = ['---', ...lines].join(end)
        const split = splitFrontMatter(text)
        if (split.kind === 'split') {
          expect(split.before + split.frontMatter + split.between + split.body).toBe(text)
        }
      }),
    )
  })
})
