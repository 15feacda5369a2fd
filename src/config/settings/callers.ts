import * as z from 'zod/mini'
import { refused, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { scopeNameProblem } from './scope-name-problem.ts'
import { shownValue } from './shown-value.ts'

function caller(field: 'team' | 'user', example: string) {
  const error = refused('a name', `e.g. ${field}: ${example}`)
  return setting({
    schema: text(error, '\\S').check(z.refine((name) => scopeNameProblem(`${field}:${name}`) === null, error)),
    description: `The ${field} whose runs these are, e.g. \`${example}\`: the budget \`${field}:${example}\` pays for them. \`--${field}\` overrides it; with \`--within\` it is ignored`,
    twoFiles: 'the later one',
    allows: (value) => `charges your runs to the ${field} ${shownValue(value)}`,
    none: null,
    read: (written): string | null => written,
  })
}

export const TEAM = caller('team', 'core')
export const USER = caller('user', 'ann')
