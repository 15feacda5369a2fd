import { textWidth } from './text-width.ts'
import { wrapText } from './wrap-text.ts'

/** A name and its value. */
export type Field = readonly [name: string, value: string]

const GAP = '  '
const LEAST_VALUE_WIDTH = 20

/** Fields below each other. A value wider than the terminal continues on the next line. */
export function formatFields(fields: readonly Field[], width = Number.POSITIVE_INFINITY): string {
  const nameWidth = Math.max(0, ...fields.map(([name]) => textWidth(name)))
  const room = Math.max(LEAST_VALUE_WIDTH, width - nameWidth - GAP.length)
  return fields
    .flatMap(([name, value]) =>
      wrapText(value, room).map((line, index) => {
        const start = index === 0 ? name : ''
        return `${start}${' '.repeat(nameWidth - textWidth(start))}${GAP}${line}`.trimEnd()
      }),
    )
    .join('\n')
}
