/** An answer, split into text and report. */
export interface FoundReport {
  /** The answer without the report. */
  readonly rest: string
  /** The content of the fence; `null` if there is none. */
  readonly report: string | null
}

const TAG = 'acceptance-report'
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\r]*)\r?$/

/**
 * Finds the last block of an answer that is fenced as `acceptance-report`. A block that is quoted or inside another
 * fence is ordinary text. As in Markdown, an unclosed fence ends with the text.
 */
export function findReport(answer: string): FoundReport {
  const lines = answer.split('\n')
  let open: { readonly marks: string; readonly info: string; readonly from: number } | null = null
  let found: { readonly from: number; readonly to: number } | null = null
  for (const [place, line] of lines.entries()) {
    const [, marks = '', words = ''] = FENCE.exec(line) ?? []
    if (marks === '') continue
    const info = words.trim()
    if (open === null) {
      // A line of backquotes that contains more of them is inline code.
      if (!(marks.startsWith('`') && info.includes('`'))) open = { marks, info, from: place }
    } else if (marks[0] === open.marks[0] && marks.length >= open.marks.length && info === '') {
      if (open.info === TAG) found = { from: open.from, to: place }
      open = null
    }
  }
  if (open?.info === TAG) found = { from: open.from, to: lines.length }
  if (found === null) return { rest: answer, report: null }
  const rest = [...lines.slice(0, found.from), ...lines.slice(found.to + 1)].join('\n')
  return { rest: rest.trim(), report: lines.slice(found.from + 1, found.to).join('\n') }
}
