import type { ComponentChildren } from 'preact'
import './data-table.css'

export interface Column<Row> {
  readonly title: string
  /** Where several may have the same title. */
  readonly key?: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ComponentChildren
}

export interface DataTableProps<Row> {
  readonly caption: string
  readonly isCaptionShown?: boolean
  /** On a phone each row becomes a block of figures with their titles, where it would be too wide. */
  readonly isStacked?: boolean
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Rows under titles. Where it is too wide, it scrolls by itself. */
export function DataTable<Row>({
  caption,
  isCaptionShown = false,
  isStacked = false,
  columns,
  rows,
  keyOf,
}: DataTableProps<Row>) {
  return (
    <section class="table-scroll" tabIndex={0} aria-label={caption}>
      <table class={`data${isStacked ? ' stacked' : ''}`}>
        <caption class={isCaptionShown ? '' : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, key = title, isNumber }) => (
              <th key={key} scope="col" class={isNumber ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, key = title, isNumber, cell }, index) =>
                index === 0 ? (
                  <th key={key} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} class={isNumber ? 'number' : ''} data-title={title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
