import { textWidth } from './text-width.ts'

const GAP = '  '

/** A table without lines: one row each, columns as wide as they need to be. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = headings.length === 0 ? rows : [headings, ...rows]
  const measured = lines.map((cells) => cells.map((text) => ({ text, width: textWidth(text) })))
  const columns: number[] = []
  for (const cells of measured) {
    for (const [index, { width }] of cells.entries()) columns[index] = Math.max(columns[index] ?? 1, width)
  }
  const pad = (width: number, column: number): string => ' '.repeat(columns[column]! - width)
  return measured
    .map((cells) =>
      cells
        .map(({ text, width }, column) => `${text}${pad(width, column)}`)
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}
