const REMOVED = '[removed]'

// The prefixes of well-known keys and tokens, e.g. sk-ant-…, ghp_…, AKIA….
const KNOWN_PREFIX =
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\b(?:gh[opsur]|github_pat|glpat|xox[abeprs]|hf|gsk|npm|pypi|dop_v1|shpat|stint)[-_][\w-]{12,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w.-]+/g
const BEARER = /\b(bearer|basic) +[\w.~+/=-]{8,}/gi
const IN_ADDRESS = /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}@/g
const SECRET = '(?:api[-_]?key|access[-_]?key|secret|token|passwd|password|credentials?)[\\w-]{0,40}'
// A value that is called a key: API_KEY=X, "token": "X", --password X.
const ASSIGNED = new RegExp(`(${SECRET}["']?[ \\t]{0,4}[=:][ \\t]{0,4}["']?)([^\\s"',;&]{4,})`, 'gi')
const FLAG = new RegExp(`(--?[\\w-]{0,40}?${SECRET}[ \\t]{1,4}["']?)([^\\s"',;&-][^\\s"',;&]{3,})`, 'gi')
// Long and without meaning: letters of both cases and digits, or hexadecimal.
const LONG_WORD = /[A-Za-z0-9_+=-]{32,}/g

/** The text without keys and without anything that looks like one. The name of a key stays; a limit isn't a key. */
export function withoutKeys(text: string): string {
  const withoutValue = (whole: string, name: string, value: string): string =>
    isAmountLike(value) ? whole : `${name}${REMOVED}`
  return text
    .replace(KNOWN_PREFIX, REMOVED)
    .replace(BEARER, `$1 ${REMOVED}`)
    .replace(IN_ADDRESS, `$1${REMOVED}@`)
    .replace(ASSIGNED, withoutValue)
    .replace(FLAG, withoutValue)
    .replace(LONG_WORD, (word) => (looksRandom(word) ? REMOVED : word))
}

/** `--limit tokens=50k` says nothing secret. */
function isAmountLike(value: string): boolean {
  return /^\$?[\d._]+[a-z%]{0,3}(?:\/[a-z]+)?$/i.test(value)
}

function looksRandom(word: string): boolean {
  if (/^[0-9a-f]+$/i.test(word)) return /\d/.test(word)
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)
}
