import type * as z from 'zod/mini'
import { showValue, suggestName } from '../core/index.ts'
import type { Document } from '../documents/index.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import { type FieldPath, problemAt } from './problem-at.ts'

type Issue = z.core.$ZodIssue

/** The value that a schema refused: where it is, and whether it may be shown. */
export interface Refused {
  readonly document: Document
  readonly path: FieldPath
  readonly value: unknown
  readonly isSecret: boolean
}

/** What zod found wrong, each with its place in the file. */
export function problemsFrom(issues: readonly Issue[], refused: Refused): readonly ConfigProblem[] {
  const problems = issues.flatMap((issue) => problemsOf(issue, refused))
  // Text can be both too long and of the wrong form, with the same message.
  return [...new Map(problems.map((problem) => [`${problem.place}: ${problem.message}`, problem])).values()]
}

function problemsOf(issue: Issue, refused: Refused): readonly ConfigProblem[] {
  const { document, isSecret } = refused
  const path = [...refused.path, ...(issue.path as FieldPath)]
  const value = isSecret ? undefined : stepsInto(refused.value, issue.path as FieldPath)
  // Not even the name is shown: inside a setting it may be a whole line with a key in it.
  const isHidden = isSecret && path.length > 2
  if (issue.code === 'unrecognized_keys') {
    const names = issue.message.split(', ')
    if (isHidden) return [problemAt(document, path, undefined, `There is no such setting. ${settingsHere(names)}`)]
    return issue.keys.map((key) => unknownKey(document, [...path, key], names, isSecret))
  }
  if (issue.code === 'invalid_key') {
    return [problemAt(document, isHidden ? path.slice(0, -1) : path, value, issue.issues[0]!.message)]
  }
  const meant = issue.code === 'invalid_union' && !isHidden ? formMeant(issue.errors) : null
  if (meant === null) return [problemAt(document, path, value, issue.message)]
  return problemsFrom(meant, { ...refused, path, value })
}

/** The form that was probably meant: the only one of the value's type, or the only one with nothing missing. */
function formMeant(forms: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const isWrongType = ({ code, path }: Issue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const isMissing = ({ path, input }: Issue): boolean => path.length === 1 && input === undefined
  const ofType = forms.filter((issues) => !issues.some(isWrongType))
  const possible = ofType.length === 1 ? ofType : ofType.filter((issues) => !issues.some(isMissing))
  return possible.length === 1 ? possible[0]! : null
}

// Names that suggest a key: apiKey, api_key, key, token, secret, authorization, …
const KEY_NAME = /key|token|secret|password|auth|bearer|credential/i

/** An unknown setting, with the name that was probably meant. Its value is not shown: it may be a secret. */
export function unknownKey(
  document: Document,
  path: FieldPath,
  names: readonly string[],
  isSecret: boolean,
): ConfigProblem {
  const key = String(path.at(-1))
  if (names.includes('apiKeyEnv') && KEY_NAME.test(key)) {
    const file = names.includes('apiKeyFile') ? ' or the file (apiKeyFile)' : ''
    const message = `A key does not belong in a config. Name the variable (apiKeyEnv)${file} that has it.`
    return problemAt(document, path, undefined, message)
  }
  const subject = isSecret ? 'There is no such setting.' : `${showValue(key)} is not a setting.`
  return problemAt(document, path, undefined, `${subject} ${settingsHere(names)}`, suggestName(key, names))
}

function settingsHere(names: readonly string[]): string {
  return `The settings here are ${names.join(', ')}.`
}

function stepsInto(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((at, step) => (at as Readonly<Record<string | number, unknown>> | null)?.[step], value)
}
