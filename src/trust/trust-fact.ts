import { createHash } from 'node:crypto'
import { isPlainObject } from '../core/index.ts'
import type { Claim, ClaimBound } from './claim.ts'

/** The record of a trusted claim. Its value is stored as a digest, since it may be a secret. */
export interface TrustFact {
  readonly name: string
  readonly path: readonly string[]
  readonly digest: string
  readonly bound: ClaimBound | null
}

export function factOf({ name, path, value, bound }: Claim): TrustFact {
  return { name, path, digest: digestOf(value), bound: bound ?? null }
}

/** Whether a claim allows no more than what was trusted: the same value, or a tighter limit. */
export function covers(fact: TrustFact, claim: Claim): boolean {
  if (fact.name !== claim.name || fact.path.join('\0') !== claim.path.join('\0')) return false
  if (fact.bound === null || claim.bound === undefined) return fact.digest === digestOf(claim.value)
  const { max, hardness, window } = claim.bound
  const isLower = fact.bound.max === null || (max !== null && max <= fact.bound.max)
  return isLower && hardness >= fact.bound.hardness && window === fact.bound.window
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

/** The same text for the same data, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isPlainObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value).sort()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

/** Reads a fact from a file's data; `null` if it is invalid. */
export function factFrom(value: unknown): TrustFact | null {
  if (!isPlainObject(value)) return null
  const { name, path, digest, bound } = value
  const isPath = Array.isArray(path) && path.every((step) => typeof step === 'string')
  if (typeof name !== 'string' || !isPath || typeof digest !== 'string') return null
  if (bound !== null && !isBound(bound)) return null
  return { name, path, digest, bound }
}

function isBound(value: unknown): value is ClaimBound {
  if (!isPlainObject(value)) return false
  const { max, hardness, window } = value
  return (max === null || typeof max === 'number') && typeof hardness === 'number' && typeof window === 'string'
}
