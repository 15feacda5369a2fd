import type { OpenRequest } from '../../core/index.ts'

/** The trees and records that an operation is about, as far as its request names them. */
export type Address =
  /** In the tree of this scope. */
  | { readonly kind: 'scope'; readonly id: string }
  /** New trees, or those with these roots. */
  | { readonly kind: 'roots'; readonly ids: readonly string[] }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string }
  /** Outside of all trees. */
  | { readonly kind: 'lease' }
  | { readonly kind: 'holder'; readonly holder: string; readonly isDeath: boolean }

/** All fields that the requests of writing operations may have. */
export interface AnyRequest {
  readonly atMs?: number
  readonly expiresAtMs?: number | null
  readonly scopeId?: string
  readonly parentId?: string | null
  readonly scopes?: OpenRequest['scopes']
  readonly reservationId?: string
  readonly requestId?: string
  readonly keyId?: string
  readonly holder?: string
  readonly lease?: string
  readonly owner?: string
  readonly evidence?: unknown
}

/** Where a writing operation belongs. */
export function addressOf(request: AnyRequest, isBeat: boolean): Address {
  const { scopes, scopeId, parentId, reservationId, requestId, keyId, holder, lease } = request
  if (lease !== undefined) return { kind: 'lease' }
  if (scopes !== undefined) {
    if (parentId !== null && parentId !== undefined) return { kind: 'scope', id: parentId }
    return { kind: 'roots', ids: [...new Set(scopes.map(({ id }) => id))].sort() }
  }
  if (scopeId !== undefined) return { kind: 'scope', id: scopeId }
  if (reservationId !== undefined) return { kind: 'call', id: reservationId }
  if (requestId !== undefined) return { kind: 'request', id: requestId }
  if (keyId !== undefined) return { kind: 'key', id: keyId }
  return { kind: 'holder', holder: holder ?? '', isDeath: !isBeat }
}

/** The holders that an operation acts for: none of them may be declared dead meanwhile. */
export function holdersIn({ holder, owner, scopes }: AnyRequest): readonly string[] {
  const holders = new Set<string>()
  if (holder !== undefined) holders.add(holder)
  if (owner !== undefined) holders.add(owner)
  for (const scope of scopes ?? []) if (scope.owner !== null) holders.add(scope.owner)
  return [...holders]
}
