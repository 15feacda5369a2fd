import { printable } from '../../core/checks/printable.ts'
import type { ExplanationRow } from './explain-limits.ts'

const HEADINGS = ['limit', 'max', 'action', 'layer', 'set by', 'instead of'] as const

/** The rows as a table in plain text, one limit per line, its ceiling and its note below it. */
export function formatExplanation(rows: readonly ExplanationRow[]): string {
  if (rows.length === 0) return 'No limits.'
  const table = rows.map(cellsOf)
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...table.map((cells) => cells[column]!.length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  const body = rows.flatMap((row, index) => [line(table[index]!), ...remarksOn(row)])
  return [line(HEADINGS), ...body].join('\n')
}

/** The lines below a limit: its ceiling, and what did not take effect as written. */
export function remarksOn(row: ExplanationRow): readonly string[] {
  return [...ceilingLine(row), ...(row.note === null ? [] : [`  ${printable(row.note)}`])]
}

/** How far it can be raised. For a limit that is a ceiling, its row says so. */
function ceilingLine({ max, layer, ceiling }: ExplanationRow): readonly string[] {
  if (ceiling === null || layer === 'ceiling') return []
  if (ceiling.max <= max) return [printable(`  is at its ceiling (${ceiling.place})`)]
  return [printable(`  can be raised to ${ceiling.maxText} (${ceiling.place})`)]
}

function cellsOf(row: ExplanationRow): readonly string[] {
  const zone = row.per === null || row.timeZone === 'UTC' ? '' : ` (${row.timeZone})`
  const period = row.per === null ? '' : `/${row.per}${zone}`
  const overrides = row.overrides.map(({ maxText, layer }) => `${maxText} (${layer})`).join(', ')
  return [row.source.written, row.maxText + period, row.action, row.layer, row.place, overrides].map(printable)
}
