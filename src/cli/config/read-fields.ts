import { isPlainObject, showValue, suggestName } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** An object whose keys are all known, or `null` and a problem. Unknown keys are problems, the rest is still read. */
export function readFields<Name extends string>(
  document: Document,
  field: string,
  value: unknown,
  names: readonly Name[],
  problems: ConfigProblem[],
): Readonly<Partial<Record<Name, unknown>>> | null {
  if (!isPlainObject(value)) {
    const form = `an object with some of ${names.join(', ')}`
    problems.push(problemIn(document, field, value, `${showValue(value)} is not ${form}.`))
    return null
  }
  for (const key of Object.keys(value)) {
    if ((names as readonly string[]).includes(key)) continue
    const message = `${showValue(key)} is no setting. The settings here are ${names.join(', ')}.`
    problems.push(problemIn(document, fieldName(field, key), value[key], message, suggestName(key, names)))
  }
  return value as Readonly<Partial<Record<Name, unknown>>>
}
