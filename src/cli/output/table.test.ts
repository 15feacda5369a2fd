import { describe, expect, it } from 'vitest'
import { growth } from '../../testing/growth.fixture.ts'
import { formatTable } from './table.ts'
import { textWidth } from './text-width.ts'

describe('a table', () => {
  it('has columns as wide as their widest cell, two spaces apart, and no trailing spaces', () => {
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

  it('keeps an empty column', () => {
    expect(formatTable(['  FOR', '', 'KEY'], [['pi', '', 'k']])).toBe('  FOR     KEY\npi        k')
  })

  it('measures display width: colours are zero, East Asian characters and emoji two, combining marks zero', () => {
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

  describe('on a narrow terminal', () => {
    const columns = [
      { heading: 'SCOPE', shrinksTo: 8 },
      'LIMIT',
      { heading: 'HELD', dropOrder: 2 },
      { heading: 'OWNER', dropOrder: 1 },
      'LEFT',
    ]
    const rows = [['team:core/a-long-name', 'cost $100.00', '$0.12', 'alive', '$99.69']]
    const at = (width: number) => formatTable(columns, rows, width).split('\n')

    it('cuts text first, then drops columns in their order, and never cuts a number', () => {
      expect(at(60)[1]).toBe('team:core/a-long-name  cost $100.00  $0.12  alive  $99.69')
      expect(at(52)[1]).toBe('team:core/a-lon…  cost $100.00  $0.12  alive  $99.69')
      expect(at(40)[1]).toBe('team:core/…  cost $100.00  alive  $99.69')
      expect(at(31)[1]).toBe('team:cor…  cost $100.00  $99.69')
    })

    it('drops fixed columns only as a last resort, from the right', () => {
      expect(at(25)[1]).toBe('team:core/…  cost $100.00')
      expect(at(10)[1]).toBe('team:core…')
    })

    it('never exceeds the given width', () => {
      for (let width = 8; width < 70; width++) {
        for (const line of at(width)) expect(textWidth(line), `${width}: ${line}`).toBeLessThanOrEqual(width)
      }
    })

    it('drops whole parts from the end of a list, and marks the omission', () => {
      const parts = [['triage', ['turns 7 of 100', 'cost $0.03 of $1.00', 'time 3s of 10m']]]
      const used = (width: number) => formatTable(['', ''], parts, width).split('\n')[1]
      expect(used(60)).toBe('triage  turns 7 of 100, cost $0.03 of $1.00, time 3s of 10m')
      expect(used(58)).toBe('triage  turns 7 of 100, cost $0.03 of $1.00, …')
      expect(used(30)).toBe('triage  turns 7 of 100, …')
    })

    it('keeps the colour reset when it cuts a coloured name', () => {
      const row = ['\u001b[2m└─ \u001b[22ma-very-long-name', '1']
      expect(formatTable([{ heading: 'S', shrinksTo: 6 }, 'N'], [row], 12).split('\n')[1]).toBe(
        '\u001b[2m└─ \u001b[22ma-ver…  1',
      )
    })
  })

  it('takes time in proportion to its rows', async () => {
    const row = ['team:core/triage', '3f2a', 'running', '$1.00', '$0.50', 'alive']
    const work = (rows: number) => formatTable([], Array<string[]>(rows).fill(row))
    expect(await growth(work, 1_000, 10_000)).toBeLessThan(40)
  })
})
