import Table from 'cli-table3'

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const

/** A table without lines: one row each, columns as wide as they need to be. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ head: [...headings], chars: NO_LINES, style })
  for (const row of rows) table.push([...row])
  const lines = table.toString().split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}
