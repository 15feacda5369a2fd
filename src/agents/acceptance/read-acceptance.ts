import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isPlainObject, suggestName } from '../../core/index.ts'
import { fieldName } from '../../documents/index.ts'
import { AGENT_NAME_FORM, isAgentName } from '../agent-name.ts'
import {
  type Acceptance,
  type AcceptanceInput,
  type Criterion,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type ReviewOrder,
  SEVERITIES,
  type VerifyCommand,
} from './acceptance.ts'
import {
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TURNS,
  ID_PATTERN,
  LONGEST_COMMAND,
  LONGEST_TEXT,
  LONGEST_TIMEOUT_MS,
  MOST_COMMANDS,
  MOST_CRITERIA,
  MOST_STOP_RULES,
  MOST_TURNS,
} from './acceptance-schema.ts'

/** A problem with a contract, and its place. */
export interface AcceptanceProblem {
  /** Below the contract: `verify[0].command`; `''`: the contract itself. */
  readonly field: string
  readonly value: unknown
  /** Completes "but must be". */
  readonly form: string
}

export type AcceptanceReading =
  /** `written`: what was read. */
  | { readonly kind: 'valid'; readonly acceptance: Acceptance; readonly written: AcceptanceInput }
  | { readonly kind: 'invalid'; readonly problems: readonly AcceptanceProblem[] }

const FIELDS = ['criteria', 'evidence', 'verify', 'review', 'stopRules', 'maxFinalizationTurns'] as const
const NEEDED = ['criteria', 'evidence', 'verify', 'review', 'stopRules'] as const
const ID = new RegExp(ID_PATTERN)
const ID_FORM = 'an id of at most 64 letters, digits, ".", "_" and "-", e.g. tests'
const EXAMPLE = '{ criteria: ["The tests pass"], verify: [{ id: "tests", command: "npm test" }] }'

/** Reads a contract. Lists all problems. */
export function readAcceptance(value: unknown): AcceptanceReading {
  const problems: AcceptanceProblem[] = []
  const acceptance = createReader(problems).contract(value)
  return problems.length === 0 && acceptance !== null
    ? { kind: 'valid', acceptance, written: value as AcceptanceInput }
    : { kind: 'invalid', problems: problems.slice(0, MOST_PROBLEMS) }
}

const MOST_PROBLEMS = 20

function createReader(problems: AcceptanceProblem[]) {
  const refuse = (field: string, value: unknown, form: string): null => {
    problems.push({ field, value, form })
    return null
  }

  function objectWith(value: unknown, field: string, known: readonly string[], form: string) {
    if (!isPlainObject(value)) return refuse(field, value, form)
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue
      const near = suggestName(name, known)
      const hint = near === null ? '' : ` (did you mean ${near}?)`
      refuse(fieldName(field, name), value[name], `left out: the fields are ${known.join(', ')}${hint}`)
    }
    return value
  }

  function list<Item>(
    value: unknown,
    field: string,
    most: number,
    what: string,
    read: (item: unknown, field: string, place: number) => Item | null,
  ): readonly Item[] {
    if (value === undefined) return []
    if (!Array.isArray(value) || value.length === 0 || value.length > most) {
      refuse(field, value, `a list of 1 to ${most} ${what}`)
      return []
    }
    return value.flatMap((item: unknown, place) => read(item, fieldName(field, place), place) ?? [])
  }

  function text(value: unknown, field: string, longest = LONGEST_TEXT): string | null {
    const isText = typeof value === 'string' && value.trim() !== '' && value.length <= longest && !value.includes('\0')
    return isText ? value : refuse(field, value, `text of at most ${longest} characters`)
  }

  function id(value: unknown, field: string): string | null {
    return typeof value === 'string' && ID.test(value) ? value : refuse(field, value, ID_FORM)
  }

  function flag(value: unknown, field: string, whenUnset: boolean): boolean {
    if (value === undefined) return whenUnset
    if (typeof value !== 'boolean') refuse(field, value, 'true or false')
    return value === true
  }

  function whole(value: unknown, field: string, most: number, whenUnset: number): number {
    if (value === undefined) return whenUnset
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most
    if (!isWhole) refuse(field, value, `a whole number from 1 to ${most}, e.g. ${whenUnset}`)
    return isWhole ? value : whenUnset
  }

  function evidence(value: unknown, field: string): readonly EvidenceKind[] {
    const kinds = list(value, field, EVIDENCE_KINDS.length, 'kinds of evidence', (item, at) => {
      if (isOneOf(item, EVIDENCE_KINDS)) return item
      const near = typeof item === 'string' ? suggestName(item, EVIDENCE_KINDS) : null
      const hint = near === null ? '' : ` (did you mean ${near}?)`
      return refuse(at, item, `one of ${EVIDENCE_KINDS.join(', ')}${hint}`)
    })
    return [...new Set(kinds)]
  }

  function criterion(value: unknown, field: string, place: number): Criterion | null {
    if (typeof value === 'string') {
      const must = text(value, field)
      return must === null ? null : { id: `criterion-${place + 1}`, must, evidence: [], severity: 'required' }
    }
    const form = 'text, or { id, must, evidence, severity }'
    const given = objectWith(value, field, ['id', 'must', 'evidence', 'severity'], form)
    if (given === null) return null
    const { severity = 'required' } = given
    if (!isOneOf(severity, SEVERITIES)) refuse(`${field}.severity`, severity, SEVERITIES.join(' or '))
    const named = id(given.id, `${field}.id`)
    const must = text(given.must, `${field}.must`)
    const kinds = evidence(given.evidence, `${field}.evidence`)
    if (named === null || must === null || !isOneOf(severity, SEVERITIES)) return null
    return { id: named, must, evidence: kinds, severity }
  }

  function command(value: unknown, field: string): VerifyCommand | null {
    const form = 'a command, e.g. { id: "tests", command: "npm test" }'
    const given = objectWith(value, field, ['id', 'command', 'timeoutMs', 'allowFailure'], form)
    if (given === null) return null
    const named = id(given.id, `${field}.id`)
    const line = text(given.command, `${field}.command`, LONGEST_COMMAND)
    const timeoutMs = whole(given.timeoutMs, `${field}.timeoutMs`, LONGEST_TIMEOUT_MS, DEFAULT_TIMEOUT_MS)
    const allowFailure = flag(given.allowFailure, `${field}.allowFailure`, false)
    return named === null || line === null ? null : { id: named, command: line, timeoutMs, allowFailure }
  }

  function review(value: unknown): ReviewOrder | null {
    if (value === undefined || value === false) return null
    const form = 'false, or e.g. { agent: "reviewer", focus: "the tests" }'
    const given = objectWith(value, 'review', ['agent', 'focus', 'required'], form)
    if (given === null) return null
    const { agent = 'reviewer', focus } = given
    if (!isAgentName(agent)) return refuse('review.agent', agent, AGENT_NAME_FORM)
    const about = focus === undefined ? null : text(focus, 'review.focus')
    return { agent, focus: about, required: flag(given.required, 'review.required', true) }
  }

  function differ(items: readonly { readonly id: string }[], field: string): void {
    const seen = new Set<string>()
    for (const [place, { id: named }] of items.entries()) {
      if (seen.has(named)) refuse(`${fieldName(field, place)}.id`, named, 'an id that no other has')
      seen.add(named)
    }
  }

  return {
    contract(value: unknown): Acceptance | null {
      const given = objectWith(value, '', FIELDS, `a contract, e.g. ${EXAMPLE}`)
      if (given === null) return null
      const isEmpty = !NEEDED.some((name) => given[name] !== undefined && given[name] !== false)
      if (isEmpty) return refuse('', value, `a contract with at least one of ${NEEDED.join(', ')}`)
      const criteria = list(given.criteria, 'criteria', MOST_CRITERIA, 'criteria', criterion)
      const verify = list(given.verify, 'verify', MOST_COMMANDS, 'commands', command)
      differ(criteria, 'criteria')
      differ(verify, 'verify')
      return {
        criteria,
        verify,
        evidence: evidence(given.evidence, 'evidence'),
        review: review(given.review),
        stopRules: list(given.stopRules, 'stopRules', MOST_STOP_RULES, 'texts', (item, at) => text(item, at)),
        maxFinalizationTurns: whole(given.maxFinalizationTurns, 'maxFinalizationTurns', MOST_TURNS, DEFAULT_TURNS),
      }
    },
  }
}
