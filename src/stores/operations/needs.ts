import type {
  AskRequest,
  CloseRequest,
  HistoryRequest,
  KeyFilter,
  ListFilter,
  OpenRequest,
  RequestFilter,
  ReservationFilter,
  ReserveRequest,
  ResumeRequest,
} from '../../core/index.ts'
import { ENDS_KEPT, isBadEnd } from './alerts/watch-ends.ts'
import { leaseKept } from './lease.ts'

/**
 * What an operation looks at, so that a store whose database answers later can load it in one round trip. A scope comes
 * with its path to the root, and each scope with its counters, the holds on its limits and its own holds; a root also
 * with the last entry of its journal. What doesn't exist is left out.
 */
export interface Needs {
  readonly paths?: readonly string[]
  /** All open scopes below these. */
  readonly openBelow?: readonly string[]
  /** The scopes that hold something on limits of these. */
  readonly holdingOn?: readonly string[]
  /** By id, each with the path of its scope. */
  readonly reservations?: readonly string[]
  /** The open ones of these holders, each with the path of its scope. */
  readonly openReservationsOf?: readonly string[]
  /** The open scopes of these owners, with their paths. */
  readonly ownedBy?: readonly string[]
  readonly holders?: readonly string[]
  /** By id. Each with what setting the limits of its scope needs: `paths`, `holdingOn` and `requestsOf`. */
  readonly requests?: readonly string[]
  /** The open requests for these limits, by limit key. */
  readonly requestsFor?: readonly string[]
  /** The open requests of these scopes. */
  readonly requestsOf?: readonly string[]
  /** By id, and by hash; each with the path of its scope. */
  readonly keys?: readonly string[]
  readonly keyHashes?: readonly string[]
  readonly documents?: readonly string[]
  /** Values that the ledger stores for itself under these names. Nothing else may change them meanwhile. */
  readonly kept?: readonly string[]
  // What only reading operations need, one of them at a time.
  readonly scopesListed?: Omit<ListFilter, 'atMs'>
  readonly reservationsListed?: ReservationFilter
  readonly requestsListed?: RequestFilter
  readonly keysListed?: KeyFilter
  readonly denialsOf?: string
  /** Events and calls of a scope and below it; without `since`, all that are kept. */
  readonly history?: HistoryRequest
  /** Everyone with an open reservation or an open scope. */
  readonly busyHolders?: true
}

interface OfScope {
  readonly scopeId: string
}

interface OfReservation {
  readonly reservationId: string
}

/** What each operation needs, by its name. */
export const NEEDS = {
  // An adoption may tighten limits.
  open({ parentId, scopes }: OpenRequest): Needs {
    const ids = scopes.map(({ id }) => id)
    const paths = parentId === null ? ids : [parentId, ...ids]
    const owners = scopes.flatMap(({ owner }) => (owner === null ? [] : [owner]))
    return { paths, holdingOn: ids, requestsOf: ids, holders: [...new Set(owners)] }
  },
  close({ scopeId, status }: CloseRequest): Needs {
    const needs = { paths: [scopeId], openBelow: [scopeId], requestsOf: [scopeId] }
    return isBadEnd(status) ? { ...needs, kept: [ENDS_KEPT] } : needs
  },
  reserve: ({ scopeId, reservationId, holder }: ReserveRequest): Needs => {
    return { paths: [scopeId], reservations: [reservationId], holders: [holder] }
  },
  settle: ({ reservationId }: OfReservation): Needs => ({ reservations: [reservationId] }),
  release: ({ reservationId }: OfReservation): Needs => ({ reservations: [reservationId] }),
  assume: ({ holder }: { readonly holder: string }): Needs => {
    return { holders: [holder], openReservationsOf: [holder], ownedBy: [holder] }
  },
  hold: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId] }),
  setLimits: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId], holdingOn: [scopeId], requestsOf: [scopeId] }),
  read: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId] }),
  pause: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId] }),
  resume: ({ scopeId, owner }: ResumeRequest): Needs => {
    return { paths: [scopeId], documents: [scopeId], holders: owner === undefined ? [] : [owner] }
  },
  note: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId] }),
  document: ({ scopeId }: OfScope): Needs => ({ documents: [scopeId] }),
  ask: ({ scopeId, requestId, key }: AskRequest): Needs => {
    return { paths: [scopeId], requests: [requestId], requestsFor: [key] }
  },
  answer: ({ requestId }: { readonly requestId: string }): Needs => ({ requests: [requestId] }),
  requests: (filter: RequestFilter): Needs => ({ requestsListed: filter }),
  list: ({ atMs: _, ...filter }: ListFilter): Needs => ({ scopesListed: filter }),
  count: (filter: Omit<ListFilter, 'atMs' | 'most'>): Needs => {
    return { scopesListed: { ...filter, most: Number.MAX_SAFE_INTEGER } }
  },
  reservations: (filter: ReservationFilter): Needs => {
    return filter.reservationId === undefined
      ? { reservationsListed: filter }
      : { reservations: [filter.reservationId] }
  },
  // A cursor from before the history also needs `openBelow`. That is rare enough to be loaded when it is missed.
  history: (request: HistoryRequest): Needs => ({ paths: [request.scopeId], history: request }),
  denials: ({ scopeId }: OfScope): Needs => ({ paths: [scopeId], denialsOf: scopeId }),
  holders: (): Needs => ({ busyHolders: true }),
  beat: ({ holder }: { readonly holder: string }): Needs => ({ holders: [holder] }),
  addKey: ({ scopeId, keyId, hash }: OfScope & { readonly keyId: string; readonly hash: string }): Needs => {
    return { paths: [scopeId], keys: [keyId], keyHashes: [hash] }
  },
  revokeKey: ({ keyId }: { readonly keyId: string }): Needs => ({ keys: [keyId] }),
  keys: (filter: KeyFilter): Needs => ({ keysListed: filter }),
  lease: ({ lease }: { readonly lease: string }): Needs => ({ kept: [leaseKept(lease)] }),
  keyByHash: ({ hash }: { readonly hash: string }): Needs => ({ keyHashes: [hash] }),
} as const
