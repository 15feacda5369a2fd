/**
 * The part of the ledger's port that stores keys. The bearer of a gateway key spends from its scope; the bearer of a key
 * with a role sees and controls its scope and what is below it over HTTP. The ledger stores only a hash of the key.
 */
export interface KeyStore {
  /** Adds a key, once per id. Refused for a scope that has ended. */
  addKey(request: AddKeyRequest): Promise<AddKeyOutcome>
  /** Keys, earliest first, including revoked ones that are still stored. */
  keys(filter: KeyFilter): Promise<readonly KeyRecord[]>
  /** Revokes a key for good. */
  revokeKey(request: RevokeKeyRequest): Promise<RevokeKeyOutcome>
  /** The key with this hash, even if it is revoked or expired; `null` if it was never issued. */
  keyByHash(request: { readonly hash: string }): Promise<KeyRecord | null>
}

/** What the bearer of a key may do over HTTP: see; also pause, limit and answer; also create keys and start runs. */
export const KEY_ROLES = ['viewer', 'operator', 'admin'] as const

export type KeyRole = (typeof KEY_ROLES)[number]

/** A key as the ledger stores it: everything but the key itself. */
export interface KeyRecord {
  readonly id: string
  /** The scope that pays. */
  readonly scopeId: string
  readonly scopePath: string
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  /** A label for people; `null` without one. */
  readonly name: string | null
  /** Absent for a key of the gateway, which opens nothing else. */
  readonly role?: KeyRole
  readonly createdBy: string | null
  readonly createdAtMs: number
  /** When it stops working; `null`: when it is revoked. */
  readonly expiresAtMs: number | null
  readonly revokedBy: string | null
  readonly revokedAtMs: number | null
}

export interface AddKeyRequest {
  readonly keyId: string
  readonly scopeId: string
  readonly hash: string
  readonly name?: string | null
  readonly role?: KeyRole
  readonly expiresAtMs?: number | null
  readonly by?: string | null
  readonly atMs: number
}

export type AddKeyOutcome =
  | { readonly kind: 'added'; readonly key: KeyRecord }
  /** Sent before: nothing changed, and `key` is its current state. */
  | { readonly kind: 'duplicate'; readonly key: KeyRecord }
  /** Another key has this id or hash: nothing changed. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'closed'; readonly scopeId: string }

export interface RevokeKeyRequest {
  readonly keyId: string
  readonly by?: string | null
  readonly atMs: number
}

export type RevokeKeyOutcome =
  | { readonly kind: 'revoked'; readonly key: KeyRecord }
  /** Already revoked; the earlier revocation remains. */
  | { readonly kind: 'duplicate'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }

export interface KeyFilter {
  readonly scopeId?: string
  readonly most?: number
}
