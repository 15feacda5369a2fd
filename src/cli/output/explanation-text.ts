import { printable } from '../../core/checks/printable.ts'
import { type ExplanationRow, formatExplanation } from '../../policy/index.ts'
import { remarksOn } from '../../policy/layers/format-explanation.ts'
import { textWidth } from './text-width.ts'
import { wrapText } from './wrap-text.ts'

/** Where limits come from: as a table, or as a list if the terminal is too narrow. */
export function explanationText(rows: readonly ExplanationRow[], width: number): string {
  const table = formatExplanation(rows)
  const isFitting = table.split('\n').every((line) => textWidth(line) <= width)
  return isFitting ? table : rows.flatMap((row) => blockOf(row, width)).join('\n')
}

/** Broken between words, so that a path stays whole. */
function blockOf(row: ExplanationRow, width: number): readonly string[] {
  const { source, maxText, per, action, layer, place, overrides } = row
  const instead = overrides.map((each) => `${each.maxText} (${each.layer})`).join(', ')
  const lines = [
    `  set by ${place} (${layer})`,
    ...(instead === '' ? [] : [`  instead of ${instead}`]),
    ...remarksOn(row),
  ]
  return [
    printable(`${source.written} ${maxText}${per === null ? '' : `/${per}`}, ${action}`),
    ...lines.flatMap((line) => wrapText(printable(line.trim()), width - INDENT.length).map((each) => INDENT + each)),
  ]
}

const INDENT = '  '
