import { cutText, fitParts } from './fit-text.ts'
import { textWidth } from './text-width.ts'

const GAP = '  '
const PART_SEPARATOR = ', '
const ELLIPSIS_WIDTH = 1

/** A column that shrinks or disappears on a narrow terminal. A plain heading is a fixed column. */
export interface Column {
  readonly heading: string
  /** Dropped if the table is too wide, highest number first. */
  readonly dropOrder?: number
  /** Text that can be cut to this many columns. Numbers are never cut. */
  readonly shrinksTo?: number
}

/** A text, or parts of which the last ones can be dropped: `['toolCalls 5 of 25', 'cost $0.03']`. */
export type Cell = string | readonly string[]

/** A table without borders: columns as wide as needed, and no line wider than `width`. */
export function formatTable(
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column.heading))
  const lines = headings.length === 0 ? rows : [headings, ...rows]
  const layout = fitColumns(columns, measure(lines), width)
  return lines
    .map((cells) =>
      layout
        .map(({ index, width: room }) => shown(cells[index] ?? '', room))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

interface Measured {
  readonly index: number
  /** The width of its widest cell. */
  readonly width: number
  /** The width if only the first part of each cell is shown. */
  readonly partsWidth: number
}

interface Placed {
  readonly index: number
  readonly width: number
}

function measure(lines: readonly (readonly Cell[])[]): readonly Measured[] {
  const widths: { width: number; partsWidth: number }[] = []
  for (const cells of lines) {
    for (const [index, cell] of cells.entries()) {
      widths[index] ??= { width: 1, partsWidth: 1 }
      const widest = widths[index]
      const width = textWidth(joined(cell))
      widest.width = Math.max(widest.width, width)
      widest.partsWidth = Math.max(widest.partsWidth, hasParts(cell) ? firstPartWidth(cell) : width)
    }
  }
  return widths.map((widest, index) => ({ index, ...widest }))
}

/** Text is cut before a column is dropped; a fixed column is dropped only as a last resort. */
function fitColumns(
  columns: readonly (string | Column)[],
  measured: readonly Measured[],
  width: number,
): readonly Placed[] {
  const settings = (index: number): Partial<Column> => {
    const column = columns[index]
    return typeof column === 'object' ? column : {}
  }
  let kept = measured
  for (;;) {
    const placed = shrink(kept, (index) => settings(index).shrinksTo, width)
    if (placed !== null || kept.length === 1) return placed ?? kept
    const droppable = kept.filter(({ index }) => settings(index).dropOrder !== undefined)
    const order = ({ index }: Measured): number => settings(index).dropOrder!
    const next = droppable.toSorted((left, right) => order(right) - order(left))[0] ?? kept.at(-1)!
    kept = kept.filter((column) => column !== next)
  }
}

/** The columns, with the widest ones cut; `null` if they still do not fit. */
function shrink(
  kept: readonly Measured[],
  leastOf: (index: number) => number | undefined,
  width: number,
): readonly Placed[] | null {
  let excess = kept.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length) - width
  const widths = new Map(kept.map(({ index, width: natural }) => [index, natural]))
  const spare = kept
    .map((column) => ({ ...column, least: Math.min(column.width, leastOf(column.index) ?? column.partsWidth) }))
    .toSorted((left, right) => right.width - right.least - (left.width - left.least))
  for (const { index, width: natural, least } of spare) {
    if (excess <= 0) break
    const taken = Math.min(excess, natural - least)
    widths.set(index, natural - taken)
    excess -= taken
  }
  return excess > 0 ? null : kept.map(({ index }) => ({ index, width: widths.get(index)! }))
}

function shown(cell: Cell, width: number): string {
  const text = hasParts(cell) ? fitParts(cell, PART_SEPARATOR, width) : cutText(cell, width)
  return `${text}${' '.repeat(Math.max(0, width - textWidth(text)))}`
}

function joined(cell: Cell): string {
  return hasParts(cell) ? cell.join(PART_SEPARATOR) : cell
}

function hasParts(cell: Cell): cell is readonly string[] {
  return typeof cell !== 'string'
}

function firstPartWidth(parts: readonly string[]): number {
  const more = parts.length > 1 ? PART_SEPARATOR.length + ELLIPSIS_WIDTH : 0
  return textWidth(parts[0] ?? '') + more
}
