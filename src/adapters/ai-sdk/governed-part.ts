import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'

// On the model or tool itself, not in a set: the AI SDK wraps models, and passes such a wrapper to `prepareStep`.
const GOVERNED = Symbol.for('stint.governed')

interface Governed<Part> {
  readonly scope: Scope
  readonly inner: Part
}

/** Marks a model or tool as governed by a scope; `inner` is the original. */
export function markGoverned<Part extends object>(part: Part, scope: Scope, inner: Part): Part {
  return Object.assign(part, { [GOVERNED]: { scope, inner } satisfies Governed<Part> })
}

/**
 * The part of a model or tool that a scope has to govern, so that a call passes through one scope only (law 5): `null`
 * if this scope, or one below it, already governs it. A part governed by a scope above is unwrapped: the lower scope's
 * calls count there too.
 */
export function partToGovern<Part extends object>(scope: Scope, part: Part): Part | null {
  const { [GOVERNED]: mark } = part as { readonly [GOVERNED]?: Governed<Part> }
  if (mark === undefined) return part
  if (edgeOf(mark.scope).isChargedTo(scope)) return null
  return edgeOf(scope).isChargedTo(mark.scope) ? partToGovern(scope, mark.inner) : part
}
