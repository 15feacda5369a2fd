/**
 * The part of the ledger's port that keeps who may spend from which scope over the wire. Whoever has a key pays from
 * its scope; the ledger knows the key only by its hash, and nothing in it leads back to the key.
 */
export interface KeyStore {
  /** Adds a key, once for each id. A scope that has ended takes none. */
  addKey(request: AddKeyRequest): Promise<AddKeyOutcome>
  /** Keys, the earliest made first; also those that were revoked, as long as they are kept. */
  keys(filter: KeyFilter): Promise<readonly KeyRecord[]>
  /** Makes a key worthless, once and for good. */
  revokeKey(request: RevokeKeyRequest): Promise<RevokeKeyOutcome>
  /** The key with this hash, whether it still opens anything or not; `null` if nobody was ever given it. */
  keyByHash(request: { readonly hash: string }): Promise<KeyRecord | null>
}

/** A key as the ledger keeps it: everything but the key. */
export interface KeyRecord {
  readonly id: string
  /** Who pays for what is done with it. */
  readonly scopeId: string
  readonly scopePath: string
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  /** What people call it; `null` if they do not. */
  readonly name: string | null
  readonly createdBy: string | null
  readonly createdAtMs: number
  /** From then on it opens nothing; `null`: it does until it is revoked. */
  readonly expiresAtMs: number | null
  readonly revokedBy: string | null
  readonly revokedAtMs: number | null
}

export interface AddKeyRequest {
  readonly keyId: string
  readonly scopeId: string
  readonly hash: string
  readonly name?: string | null
  readonly expiresAtMs?: number | null
  readonly by?: string | null
  readonly atMs: number
}

export type AddKeyOutcome =
  | { readonly kind: 'added'; readonly key: KeyRecord }
  /** Sent before: nothing happened, and `key` is how it stands now. */
  | { readonly kind: 'duplicate'; readonly key: KeyRecord }
  /** Another key has this id or this hash: nothing happened. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'closed'; readonly scopeId: string }

export interface RevokeKeyRequest {
  readonly keyId: string
  readonly by?: string | null
  readonly atMs: number
}

export type RevokeKeyOutcome =
  | { readonly kind: 'revoked'; readonly key: KeyRecord }
  /** Somebody revoked it before: that stands. */
  | { readonly kind: 'duplicate'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }

export interface KeyFilter {
  readonly scopeId?: string
  readonly most?: number
}
