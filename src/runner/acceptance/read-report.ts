import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isPlainObject } from '../../core/index.ts'
import type { AcceptanceReport } from './acceptance-result.ts'

/** A report, and problems with its form. */
export interface ReadReport {
  readonly report: AcceptanceReport
  readonly problems: readonly string[]
}

const LARGEST = 256 * 1024
const MOST_ITEMS = 500
const LONGEST_TEXT = 4_000

const CRITERION_STATUSES = ['satisfied', 'not-satisfied', 'not-applicable'] as const
const COMMAND_RESULTS = ['passed', 'failed', 'not-run'] as const

type Fields = Readonly<Record<string, unknown>>
type Reader = (value: unknown, field: string) => unknown

/** Reads the text of a report. Unknown fields are left out, invalid ones are problems. Never throws. */
export function readReport(text: string): ReadReport | string {
  if (text.length > LARGEST) return `The report is longer than ${LARGEST} characters.`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The report is not valid JSON.'
  }
  if (!isPlainObject(value)) return 'The report is not a JSON object.'
  const problems: string[] = []
  // Own fields only: a report cannot set a prototype.
  const known = Object.entries(createReaders(problems)).flatMap(([name, read]) => {
    const field = ownField(value, name) ?? undefined
    const valid = field === undefined ? undefined : read(field, name)
    return valid === undefined ? [] : [[name, valid]]
  })
  const report: AcceptanceReport = Object.fromEntries(known)
  return { report, problems: problems.slice(0, MOST_PROBLEMS) }
}

const MOST_PROBLEMS = 20

function createReaders(problems: string[]): Readonly<Record<keyof AcceptanceReport, Reader>> {
  const refuse = (field: string, form: string): undefined => {
    problems.push(`${field} must be ${form}.`)
    return undefined
  }
  const text: Reader = (value, field) =>
    typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : refuse(field, 'a string')
  const flag: Reader = (value, field) => (typeof value === 'boolean' ? value : refuse(field, 'true or false'))

  function list(value: unknown, field: string, form: string, read: (item: unknown) => unknown): unknown {
    if (!Array.isArray(value)) return refuse(field, `a list of ${form}`)
    if (value.length > MOST_ITEMS) return refuse(field, `a list of at most ${MOST_ITEMS}`)
    const items = value.map(read)
    return items.includes(undefined) ? refuse(field, `a list of ${form}`) : items
  }

  const texts: Reader = (value, field) =>
    list(value, field, 'strings', (item) => (typeof item === 'string' ? item.slice(0, LONGEST_TEXT) : undefined))

  const objects =
    (names: readonly [string, string, string], words: readonly string[]): Reader =>
    (value, field) => {
      const [first, word, last] = names
      const form = `{ "${first}": "…", "${word}": "${words.join('" | "')}", "${last}": "…" }`
      return list(value, field, form, (item) => {
        if (!isPlainObject(item)) return undefined
        const [named, said, shown = ''] = names.map((name) => ownField(item, name))
        if (typeof named !== 'string' || !isOneOf(said, words) || typeof shown !== 'string') return undefined
        return { [first]: named.slice(0, LONGEST_TEXT), [word]: said, [last]: shown.slice(0, LONGEST_TEXT) }
      })
    }

  return {
    criteriaSatisfied: objects(['id', 'status', 'evidence'], CRITERION_STATUSES),
    changedFiles: texts,
    testsAddedOrUpdated: texts,
    commandsRun: objects(['command', 'result', 'summary'], COMMAND_RESULTS),
    validationOutput: texts,
    residualRisks: texts,
    noStagedFiles: flag,
    diffSummary: text,
    reviewFindings: texts,
    manualNotes: text,
  }
}

function ownField(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
