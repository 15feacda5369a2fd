import { REMOVED } from './removed-text.ts'

// Names whose value is a secret: the first always, the others only if the value looks like a key.
const SURELY =
  '(?<!by|com)pass(?:wor[dt]|wd|phrase|code)s?(?![a-z])|kennwort|(?<=[\\w-])(?<!by|com)pass(?![a-z])|(?<![a-z])(?:pwd|pw|psk|pin|creds?)(?![a-z])|(?<=--)pat(?![\\w-])|secret|token(?!i)|' +
  '(?:api|access|private|secret|account|signing|encryption|auth|ssh|client|session)[-_. ]?key|credentials?|authorization|cookie'
const PERHAPS = '(?<![a-z])(?:key|pass|auth|sig|signature|sid|session(?:[-_]?id)?|bearer|jwt|otp)(?![a-z])'
const NAMED = new RegExp(`${SURELY}|(?<perhaps>${PERHAPS})`, 'gi')
const CAMEL_KEY = /(?<=[a-z0-9])Key(?![a-z])/g

const LONGEST_NAME = 80
const SEPARATOR = /^\]?\)?[^\S\r\n]*(?:(?:=>|:=|={1,2}|%3D)\s*|:[^\S\r\n]*)/i
const TAG = /^>/
const IN_WORDS = /^[^\S\r\n]+(?:(?:is|are|was)[^\S\r\n]+)?/i
const AFTER_FLAG = /^(?:[^\S\r\n]+(?:\\\r?\n\s*)?|\\*["'][^\S\r\n]*,?\s*)/
const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate)[ \t]+/i
const QUOTE = /^(\\*)(["'`])/

interface Name {
  readonly start: number
  readonly end: number
  readonly isSure: boolean
}

/** The text without values whose name marks them as a secret: API_KEY=X, "token": "X", --password X, Cookie: X. */
export function withoutNamedSecrets(text: string): string {
  let done = ''
  let from = 0
  for (const name of namesIn(text)) {
    if (name.start < from) continue
    const value = valueAfter(text, name)
    if (value === null || !isSecret(text, name, value)) continue
    done += `${text.slice(from, value.start)}${REMOVED}`
    from = value.end
  }
  return done + text.slice(from)
}

/** Complete names of secrets: `OPENAI_API_KEY`, `--db-password`. */
function namesIn(text: string): readonly Name[] {
  const found = [
    ...[...text.matchAll(NAMED)].map(({ index, 0: word, groups }) => nameAround(text, index, word, !groups?.perhaps)),
    ...[...text.matchAll(CAMEL_KEY)].map(({ index, 0: word }) => nameAround(text, index, word, false)),
  ]
  return found.sort((left, right) => left.start - right.start || Number(right.isSure) - Number(left.isSure))
}

function nameAround(text: string, index: number, word: string, isSure: boolean): Name {
  const isPart = (at: number): boolean => /[\w.-]/.test(text[at] ?? '')
  let start = index
  let end = index + word.length
  while (index - start < LONGEST_NAME && isPart(start - 1)) start--
  while (end - index < LONGEST_NAME && isPart(end)) end++
  // OPENAI_KEY=… is an environment variable.
  const isVariable = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(text.slice(start, end))
  return { start, end, isSure: isSure || isVariable }
}

interface Value {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  /** Only words connect it with the name. */
  readonly isProse: boolean
}

/** The value assigned to a name, if there is one. */
function valueAfter(text: string, { start, end }: Name): Value | null {
  const before = text.slice(Math.max(0, start - 10), start).match(/(\\*)(["'`])$/)
  const closing = before === null ? '' : `${before[1]}${before[2]}`
  const isClosed = closing !== '' && text.startsWith(closing, end)
  const rest = text.slice(end + (isClosed ? closing.length : 0), end + 300)
  const isFlag = text[start] === '-'
  const tag = TAG.exec(rest)
  const given = SEPARATOR.exec(rest) ?? (tag && text[start - 1] === '<' ? tag : null)
  const prose = given === null ? IN_WORDS.exec(rest) : null
  const spaced = given === null && isFlag ? AFTER_FLAG.exec(text.slice(end, end + 300)) : null
  const gap = spaced === null ? (given ?? prose) : null
  if (spaced === null && gap === null) return null
  let at = spaced === null && isClosed ? end + closing.length : end
  at += (spaced ?? gap)![0].length
  if (spaced !== null && text[at] === '-') return null
  const isProse = prose !== null && spaced === null
  const quote = QUOTE.exec(text.slice(at, at + 20))
  if (quote !== null) {
    const inner = at + quote[0].length
    return { start: inner, end: closingOf(text, inner, quote[0]), isQuoted: true, isProse }
  }
  at += SCHEME.exec(text.slice(at, at + 30))?.[0].length ?? 0
  // A quote around name and value ends both, except around a script: "API_KEY=X node agent.js".
  const isWhole = closing !== '' && !isClosed && !/^[A-Z][A-Z0-9_]*$/.test(text.slice(start, end))
  const isCookie = /cookie$/i.test(text.slice(start, end))
  const stop = isWhole ? closingOf(text, at, closing) : wordEnd(text, at, isCookie)
  return stop <= at ? null : { start: at, end: stop, isQuoted: false, isProse }
}

/** Where a quoted text ends: at the same quote with as many backslashes, otherwise at the end of the text. */
function closingOf(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\' || at === from) return at
  }
  return text.length
}

function wordEnd(text: string, from: number, isLine: boolean): number {
  const length = text.slice(from).search(isLine ? /["'`\r\n]/ : /[\s"'`&<]/)
  const end = length === -1 ? text.length : from + length
  const word = text.slice(from, end)
  return from + word.replace(/[\\,;)\]}.]+$/, '').length
}

function isSecret(text: string, { start, end, isSure }: Name, value: Value): boolean {
  const [name, given] = [text.slice(start, end), text.slice(value.start, value.end)]
  if (given === '' || given.startsWith(REMOVED.slice(0, -1))) return false
  // `--limit tokens=50k` contains no secret.
  if (/token/i.test(name) && isAmountLike(given)) return false
  if (/^(?:OLD)?PWD$/.test(name) && /^[/~]/.test(given)) return false
  // "the password is hunter2", but not "the password is wrong".
  if (value.isProse)
    return isSure && (value.isQuoted || (given.length >= 4 && /\d/.test(given) && /[a-z]/i.test(given)))
  return isSure || looksLikeKey(given)
}

function isAmountLike(value: string): boolean {
  return /^\$?[\d._]+[a-z%]{0,3}(?:\/[a-z]+)?(?::[a-z]+)?$/i.test(value)
}

function looksLikeKey(value: string): boolean {
  if (/\s/.test(value)) return false
  return value.length >= 16 || (value.length >= 6 && /\d/.test(value) && /[a-z]/i.test(value))
}
