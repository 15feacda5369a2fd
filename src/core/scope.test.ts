import { describe, expect, it } from 'vitest'
import { assertScopeName, childPath, levelBelow } from './scope.ts'

describe('scope names', () => {
  it('may be what people and providers call things', () => {
    for (const name of ['triage', 'team:core', 'user:ann@example.com', 'Überprüfung 7', '研究', 'a..b', '.hidden']) {
      expect(() => assertScopeName(name)).not.toThrow()
    }
  })

  it('I7: are refused if they could be a path, are invisible or too long', () => {
    const bad = [
      '',
      ' ',
      '.',
      '..',
      'a/b',
      '../x',
      'a\\b',
      'a\0b',
      'a\nb',
      '\u202Eabc',
      'a\u200Bb',
      ' a',
      'a ',
      '\uD800',
    ]
    for (const name of [...bad, 'x'.repeat(300), null, undefined, 7, {}, ['a']]) {
      expect(() => assertScopeName(name), JSON.stringify(name)).toThrow(/^The scope name .*A valid name: /s)
    }
  })

  it('make the path of a child', () => {
    expect(childPath(null, 'team:core')).toBe('team:core')
    expect(childPath('team:core', 'run')).toBe('team:core/run')
  })

  it('count levels from the first agent', () => {
    expect(levelBelow(null, 'lasting')).toBe(-1)
    expect(levelBelow(-1, 'group')).toBe(-1)
    expect(levelBelow(-1, 'agent')).toBe(0)
    expect(levelBelow(null, 'agent')).toBe(0)
    expect(levelBelow(0, 'agent')).toBe(1)
    expect(levelBelow(1, 'group')).toBe(1)
  })
})
