import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'

// On the model or tool itself, not in a set: the AI SDK wraps models, and hands such a wrapper to `prepareStep`.
const GOVERNED = Symbol.for('stint.governed')

interface Governed<Part> {
  readonly scope: Scope
  readonly inner: Part
}

/** Marks a model or tool as governed by a scope; `inner` is what it was made of. */
export function markGoverned<Part extends object>(part: Part, scope: Scope, inner: Part): Part {
  return Object.assign(part, { [GOVERNED]: { scope, inner } satisfies Governed<Part> })
}

/**
 * What a scope has to govern of a model or tool, so that a call passes one scope only (law 5): `null` where it, or one
 * below it, does already. What a scope above governs is taken out of there: a call of the one below counts there too.
 */
export function partToGovern<Part extends object>(scope: Scope, part: Part): Part | null {
  const { [GOVERNED]: mark } = part as { readonly [GOVERNED]?: Governed<Part> }
  if (mark === undefined) return part
  if (edgeOf(mark.scope).isChargedTo(scope)) return null
  return edgeOf(scope).isChargedTo(mark.scope) ? partToGovern(scope, mark.inner) : part
}
