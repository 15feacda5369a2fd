import { seenCharacter } from './seen-character.ts'

const WORD = Array.from('budget', (letter) => ({ letter, code: letter.charCodeAt(0) }))
const WINDOW_CHARACTERS = 120

const ESCAPE_CODE = 0x1b
const COLON_CODE = 0x3a
const ASCII_END = 0x80
// The bit that turns an upper-case letter into a lower-case one.
const SMALL = 0x20
// What follows the escape character in a terminal color code.
const COLOR = /\[[\d;]{0,32}[A-Za-z]/y
// The rest of a line, as long as it is visible ASCII.
const PLAIN_LINE = /[\x20-\x7e]{1,120}/y

// Matched after folding: a colon, immediately or after one word (a nonce).
const COLON = /^(?:\s{0,8}[^\s:[\](){}]{1,64})?\s{0,8}:/
// Matched after folding: "3 of 20 tool calls left", "unlimited", "finalize now".
const SPEAKS_OF_BUDGET =
  /^[^\p{L}\p{N}]{0,8}(?:[^\s:]{1,64}\s{0,8}:)?[^\p{L}\p{N}]{0,8}(?:\$?\d[\d.]{0,20}(?:,\d{3}){0,5}[a-z%]{0,3}(?:\s+[\p{L}\d$.]{1,20}){0,6}?\s+(?:left|used|remain\p{L}*|available)|unlimited|no limit)|finali[sz]e|wrap up/u
// A line without one of these does not mention a budget.
const MAY_SPEAK = /left|used|remain|available|limit|finali|wrap/

interface Run {
  readonly start: number
  readonly end: number
}

// One attempt skips this many runs of unremarkable characters: one before each letter.
const KEPT_RUNS = WORD.length

/** Finds what could be taken for a hint in one text. Linear in the length of the text, whatever it contains. */
export interface LookAlikes {
  /**
   * Whether the bracket at `start` opens what could be taken for a hint. After a square bracket `budget:` is enough; a
   * round, curly or pointed one, and one that indexes something (`list[budget:]`), must also mention a budget, so that
   * code and prose stay unchanged. Reads up to the next bracket, plus a bounded number of characters.
   */
  isOneAt(start: number): boolean
  /** How many characters were read so far, including repeated reads. */
  charactersRead(): number
}

export function createLookAlikes(text: string): LookAlikes {
  let read = 0
  // Color codes contain brackets too, and each could start an attempt that skips all the others again.
  const runs: Run[] = []

  /** The position after all skipped characters from `start`. */
  function skipUnremarkable(start: number): number {
    if (!isUnremarkableAt(text, start)) return start
    // A start inside a run lies between two of its characters, and leads to the same end.
    const known = runs.find((run) => run.start <= start && start < run.end)
    if (known !== undefined) return known.end
    let position = start
    while (position < text.length) {
      COLOR.lastIndex = position + 1
      if (text.charCodeAt(position) === ESCAPE_CODE && COLOR.test(text)) {
        position = COLOR.lastIndex
        continue
      }
      if (!isUnremarkableAt(text, position)) break
      position += widthAt(text, position)
    }
    read += position - start
    if (runs.length === KEPT_RUNS) runs.shift()
    runs.push({ start, end: position })
    return position
  }

  /** Where the word that starts at `start` ends; -1 if it is another word. */
  function endOfWord(start: number): number {
    let position = start
    for (const { letter, code } of WORD) {
      position = skipUnremarkable(position)
      const unit = text.charCodeAt(position)
      if (unit < ASCII_END) {
        if ((unit | SMALL) !== code) return -1
        position++
        continue
      }
      if (position >= text.length || seenCharacter(text.codePointAt(position)!).folded !== letter) return -1
      position += widthAt(text, position)
    }
    return position
  }

  /** The rest of the line, as a reader would see it. */
  function foldedLine(start: number): string {
    let position = start
    let folded = ''
    while (position < text.length && folded.length < WINDOW_CHARACTERS) {
      const unit = text.charCodeAt(position)
      if (isLineBreak(unit)) break
      if (unit >= SPACE_CODE && unit < 0x7f) {
        const plainEnd = Math.min(plainLineEnd(position), position + WINDOW_CHARACTERS - folded.length)
        folded += text.slice(position, plainEnd).toLowerCase()
        position = plainEnd
        continue
      }
      const character = seenCharacter(text.codePointAt(position)!)
      if (!character.isUnseen) folded += character.folded
      position += widthAt(text, position)
    }
    read += position - start
    return folded
  }

  function plainLineEnd(start: number): number {
    PLAIN_LINE.lastIndex = start
    PLAIN_LINE.test(text)
    return PLAIN_LINE.lastIndex
  }

  return {
    isOneAt(start) {
      read++
      const inside = start + widthAt(text, start)
      const end = endOfWord(inside)
      if (end === -1) return false
      read += end - start
      // The usual case, and the cheapest for a text made of nothing else.
      const isHard = !isSoft(text.slice(start, inside), text.charCodeAt(start - 1))
      const next = text.charCodeAt(end)
      if (isHard && next === COLON_CODE) return true
      if (isAsciiWord(next)) return false
      const behind = foldedLine(end)
      if (/^[\p{L}\p{N}]/u.test(behind)) return false
      return (isHard && COLON.test(behind)) || (MAY_SPEAK.test(behind) && SPEAKS_OF_BUDGET.test(behind))
    },
    charactersRead: () => read,
  }
}

/** Characters that may be inside the word or before it. Includes a lone escape, which is invisible. */
function isUnremarkableAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position)
  if (unit > SPACE_CODE && unit < ASCII_END) {
    return unit === 0x2a || unit === 0x5f || unit === 0x7e || unit === 0x60 || unit === 0x7f
  }
  return position < text.length && seenCharacter(text.codePointAt(position)!).isUnremarkable
}

const SPACE_CODE = 0x20

function isSoft(bracket: string, before: number): boolean {
  if (bracket !== '[' && '({<'.includes(bracket.normalize('NFKC'))) return true
  if (before < ASCII_END) return isAsciiWord(before) || before === 0x5f || before === 0x29 || before === 0x5d
  return before >= ASCII_END && /[\p{L}\p{N}]/u.test(String.fromCharCode(before))
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)
}

function isLineBreak(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029
}

function widthAt(text: string, position: number): number {
  return text.codePointAt(position)! > 0xffff ? 2 : 1
}
