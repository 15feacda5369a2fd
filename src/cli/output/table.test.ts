import { describe, expect, it } from 'vitest'
import { growth } from '../../testing/growth.fixture.ts'
import { formatTable } from './table.ts'

describe('a table', () => {
  it('has columns as wide as their widest cell, two spaces apart, and nothing at the end of a line', () => {
    const rows = [
      ['triage', '$0.50'],
      ['a', ''],
    ]
    expect(formatTable(['SCOPE', 'LEFT'], rows)).toBe('SCOPE   LEFT\ntriage  $0.50\na')
  })

  it('needs no headings', () => {
    expect(
      formatTable(
        [],
        [
          ['id', '3f2a'],
          ['status', 'running'],
        ],
      ),
    ).toBe('id      3f2a\nstatus  running')
  })

  it('keeps a column that is empty', () => {
    expect(formatTable(['  FOR', '', 'KEY'], [['pi', '', 'k']])).toBe('  FOR     KEY\npi        k')
  })

  it('measures what a terminal shows: no colours, two columns for wide letters and pictures, none for marks', () => {
    const rows = [
      ['\u001b[31mred\u001b[39m', '|'],
      ['日本', '|'],
      ['👍🏽', '|'],
      ['🇩🇪', '|'],
      ['e\u0301te\u0301', '|'],
      ['├─ x', '|'],
      ['–…·’', '|'],
    ]
    const lines = formatTable([], rows).split('\n')
    expect(lines).toEqual([
      '\u001b[31mred\u001b[39m   |',
      '日本  |',
      '👍🏽    |',
      '🇩🇪    |',
      'e\u0301te\u0301   |',
      '├─ x  |',
      '–…·’  |',
    ])
  })

  it('takes time in proportion to its rows', async () => {
    const row = ['team:core/triage', '3f2a', 'running', '$1.00', '$0.50', 'alive']
    const work = (rows: number) => formatTable([], Array<string[]>(rows).fill(row))
    expect(await growth(work, 1_000, 10_000)).toBeLessThan(40)
  })
})
