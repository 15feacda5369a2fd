import { showValue } from '../errors.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { isPlainObject } from './is-plain-object.ts'
import { assertStorableText } from './storable-text.ts'

const MOST_LABELS = 100
const LONGEST_KEY = 1_000
const LONGEST_LABEL = 10_000

/** Throws `InvalidOptionError` unless every label is text that a ledger can keep. */
export function assertLabels(labels: unknown, place: string): void {
  const entries = isPlainObject(labels) ? Object.entries(labels) : null
  if (entries === null || entries.length > MOST_LABELS) {
    throw new InvalidOptionError(place, labels, `an object with at most ${MOST_LABELS} texts`)
  }
  for (const [key, label] of entries) {
    assertStorableText(key, `a key of ${place}`, { longest: LONGEST_KEY })
    assertLabel(label, `${place}[${showValue(key)}]`)
  }
}

/** Throws `InvalidOptionError` unless `label` is text that a ledger can keep; it may be empty. */
export function assertLabel(label: unknown, place: string): asserts label is string {
  assertStorableText(label, place, { least: 0, longest: LONGEST_LABEL })
}
