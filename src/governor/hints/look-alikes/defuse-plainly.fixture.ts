import { foldCharacter, isUnseen } from './fold-character.ts'

const OPENING_BRACKET = /[\p{Ps}<\u{e005b}]/gu
const QUOTED = 'quoted '

/** The rule of `defuse`, character by character and with no regard for speed: the reference for the fast version. */
export function defusePlainly(text: string): string {
  let defused = ''
  let copied = 0
  for (const { 0: bracket, index } of text.matchAll(OPENING_BRACKET)) {
    if (!isLookAlike(text, index)) continue
    const inside = index + bracket.length
    defused += text.slice(copied, inside) + QUOTED
    copied = inside
  }
  return copied === 0 ? text : defused + text.slice(copied)
}

const WORD = 'budget'
const WINDOW_CHARACTERS = 120

// What may be between the bracket, the letters and the colon without changing how it reads.
const SPACE_OR_EMPHASIS = /[\p{Zs}\t*_~`]/u
const ESCAPE_CODE = 0x1b
// What follows the escape character in a terminal color code.
const COLOR = /\[[\d;]{0,32}[A-Za-z]/y

// Matched after folding: a colon, immediately or after one word (a nonce).
const COLON = /^(?:\s{0,8}[^\s:[\](){}]{1,64})?\s{0,8}:/
// Matched after folding: "3 of 20 tool calls left", "unlimited", "finalize now".
const SPEAKS_OF_BUDGET =
  /^[^\p{L}\p{N}]{0,8}(?:[^\s:]{1,64}\s{0,8}:)?[^\p{L}\p{N}]{0,8}(?:\$?\d[\d.]{0,20}(?:,\d{3}){0,5}[a-z%]{0,3}(?:\s+[\p{L}\d$.]{1,20}){0,6}?\s+(?:left|used|remain\p{L}*|available)|unlimited|no limit)|finali[sz]e|wrap up/u

/**
 * Whether the bracket at `start` opens what could be taken for a hint. After a square bracket `budget:` is enough; a
 * round, curly or pointed one, and one that indexes something (`list[budget:]`), must also mention a budget, so that
 * code and prose stay unchanged. Reads up to the next bracket, plus a bounded number of characters.
 */
function isLookAlike(text: string, start: number): boolean {
  const bracket = characterAt(text, start)
  const end = endOfWord(text, start + bracket.length)
  if (end === -1) return false
  const isHard = !isSoft(bracket, text.charAt(start - 1))
  // The usual case, and the cheapest for a text made of nothing else.
  if (isHard && text.charCodeAt(end) === COLON_CODE) return true
  const behind = foldedLine(text, end)
  if (/^[\p{L}\p{N}]/u.test(behind)) return false
  return (isHard && COLON.test(behind)) || SPEAKS_OF_BUDGET.test(behind)
}

const COLON_CODE = 0x3a

function isSoft(bracket: string, before: string): boolean {
  return '({<'.includes(bracket.normalize('NFKC')) || /[\p{L}\p{N}_)\]]/u.test(before)
}

/** Where the word that starts at `start` ends; -1 if it is another word. */
function endOfWord(text: string, start: number): number {
  let position = start
  for (const letter of WORD) {
    position = skipUnremarkable(text, position)
    const character = characterAt(text, position)
    if (character === '' || foldCharacter(character) !== letter) return -1
    position += character.length
  }
  return position
}

function skipUnremarkable(text: string, start: number): number {
  let position = start
  while (position < text.length) {
    COLOR.lastIndex = position + 1
    if (text.charCodeAt(position) === ESCAPE_CODE && COLOR.test(text)) {
      position = COLOR.lastIndex
      continue
    }
    const character = characterAt(text, position)
    if (!isUnseen(character) && !SPACE_OR_EMPHASIS.test(character)) break
    position += character.length
  }
  return position
}

/** The rest of the line, as a reader would see it. */
function foldedLine(text: string, start: number): string {
  let folded = ''
  let position = start
  while (position < text.length && folded.length < WINDOW_CHARACTERS) {
    const character = characterAt(text, position)
    if (isLineBreak(text.charCodeAt(position))) break
    if (!isUnseen(character)) folded += foldCharacter(character)
    position += character.length
  }
  return folded
}

function isLineBreak(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029
}

function characterAt(text: string, position: number): string {
  const code = text.codePointAt(position)
  return code === undefined ? '' : String.fromCodePoint(code)
}
