import { printable } from '../core/checks/printable.ts'
import { isPlainObject } from '../core/index.ts'
import { type Document, fieldName } from '../documents/index.ts'
import { type Claim, claimFile, type Trust } from '../trust/index.ts'
import { placeAt } from './problem-at.ts'
import { settingNamed } from './settings.ts'

/** The part of a config that is used, and the part that is ignored because its folder is not trusted with it. */
export interface TrustedPart {
  readonly used: Document
  readonly leftOut: readonly Claim[]
}

/** Drops the settings that need trust and don't have it. Limits and agents are checked where they are used. */
export function trustedPart(document: Document, trust: Trust): TrustedPart {
  const file = claimFile(document.file)
  const leftOut: Claim[] = []
  const isUsed = (path: readonly [string, ...string[]], value: unknown): boolean => {
    const allows = settingNamed(path[0])?.allows?.(value, path.at(-1)!) ?? `sets ${path.reduce(fieldName, '')}`
    const place = printable(placeAt(document, path))
    const claim: Claim = { ...file, path, value, place, allows: printable(allows) }
    const isBelieved = trust.accepts(claim)
    if (!isBelieved) leftOut.push(claim)
    return isBelieved
  }
  const value = kept(document.value ?? {}, (name, written): unknown => {
    const setting = settingNamed(name)
    // A setting needs trust unless its description says otherwise.
    if (setting?.untrusted !== undefined) return written
    if (setting?.isByName === true && isPlainObject(written)) {
      return kept(written, (each, said) => (isUsed([name, each], said) ? said : undefined))
    }
    return isUsed([name], written) ? written : undefined
  })
  return { used: { ...document, value }, leftOut }
}

/** An object without a prototype, as documents have: no key has a special meaning. */
function kept(object: object, keep: (key: string, value: unknown) => unknown): object {
  const result: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    const each = keep(key, value)
    if (each !== undefined) result[key] = each
  }
  return result
}
