/** The positions of the names that tell how many pages a PDF has. */
export interface PdfNames {
  /** The number of `/Page` names. */
  readonly pages: number
  readonly kids: readonly number[]
  readonly objectStreams: readonly number[]
  readonly isEncrypted: boolean
}

// The search must not take more than a few milliseconds for any file. Real files have far fewer.
const MOST_NAMES = 150_000
const MOST_FOUND = 10_000
const MOST_ESCAPES = 5_000
// `/FlateDecode` with every letter escaped.
const LONGEST = 3 * 11

const TELLING: ReadonlySet<string> = new Set([
  'Type',
  'Page',
  'Pages',
  'Kids',
  'Count',
  'ObjStm',
  'Encrypt',
  'Filter',
  'FlateDecode',
])
const SHORTEST_TELLING = 4
const LONGEST_TELLING = 11
const SLASH = 0x2f
const HASH = 0x23

/**
 * Finds them in one pass. `null` if there are too many, or one is escaped (`/P#61ge`), which only a file that hides
 * something does.
 */
export function pdfNames(text: string): PdfNames | null {
  const kids: number[] = []
  const objectStreams: number[] = []
  let pages = 0
  let isEncrypted = false
  let names = 0
  let escapes = 0
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1)) {
    if (++names > MOST_NAMES || pages > MOST_FOUND || kids.length > MOST_FOUND) return null
    let end = at + 1
    let hasEscape = false
    while (end - at <= LONGEST && !endsName(text.charCodeAt(end))) {
      if (text.charCodeAt(end) === HASH) hasEscape = true
      end++
    }
    const length = end - at - 1
    if (hasEscape) {
      if (++escapes > MOST_ESCAPES || TELLING.has(unescaped(text.slice(at + 1, end)))) return null
    } else if (length >= SHORTEST_TELLING && length <= LONGEST_TELLING) {
      const name = text.slice(at + 1, end)
      if (name === 'Page') pages++
      else if (name === 'Kids') kids.push(at)
      else if (name === 'ObjStm') objectStreams.push(at)
      else if (name === 'Encrypt') isEncrypted = true
    }
  }
  return { pages, kids, objectStreams, isEncrypted }
}

/** Whitespace, a delimiter, or the end of the text. */
function endsName(code: number): boolean {
  if (code <= 0x20) return true
  if (code > 0x7d || Number.isNaN(code)) return Number.isNaN(code)
  return code === SLASH || DELIMITERS.has(code)
}

const DELIMITERS: ReadonlySet<number> = new Set(Array.from('()<>[]{}%', (character) => character.charCodeAt(0)))

function unescaped(name: string): string {
  return name.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
