import {
  type AddKeyRequest,
  type AnswerRequest,
  type AskRequest,
  type AssumeRequest,
  assertCeilings,
  assertElastic,
  assertLabels,
  assertLimits,
  assertOneOf,
  assertScopeName,
  assertStorableText,
  assertTime,
  assertWholeNumber,
  type BeatRequest,
  type CloseRequest,
  END_STATUSES,
  type HoldRequest,
  InvalidAmountError,
  InvalidOptionError,
  isAmount,
  KEY_ROLES,
  type NoteRequest,
  type OpenRequest,
  type PauseRequest,
  type ReleaseRequest,
  type ReserveRequest,
  type ResumeRequest,
  type RevokeKeyRequest,
  SCOPE_KINDS,
  ScopeExistsError,
  type SetLimitsRequest,
  type SettleRequest,
  TooManyScopesError,
} from '../../core/index.ts'
import { assertHold, assertReserveHold } from './hold-on-path.ts'

// Checks that need only the request. They run before the request joins a transaction, so that a bad request doesn't
// affect the others in it, and no text enters a ledger that it couldn't keep.

const LARGEST_GROUP = 10_000
const LONGEST_DOCUMENT = 64 * 1024 * 1024
const LONGEST_KEY_NAME = 200
const SHA_256 = /^[0-9a-f]{64}$/
const VERDICTS: readonly AnswerRequest['verdict'][] = ['approved', 'denied', 'expired']

export function assertOpen({ scopes, atMs }: OpenRequest): void {
  assertTime(atMs, 'open')
  if (scopes.length > LARGEST_GROUP) throw new TooManyScopesError('group', LARGEST_GROUP)
  const ids = new Set<string>()
  for (const { id, name, kind, owner, labels, limits, ceilings = [], hold } of scopes) {
    assertStorableText(id, 'open({ scopes: [{ id }] })')
    assertScopeName(name)
    assertOneOf('open({ scopes: [{ kind }] })', kind, SCOPE_KINDS)
    if (owner !== null) assertStorableText(owner, 'open({ scopes: [{ owner }] })')
    if (labels !== undefined) assertLabels(labels, 'open({ scopes: [{ labels }] })')
    assertLimits(limits, `open "${name}"`)
    assertCeilings(ceilings, `open "${name}"`)
    assertHold(hold ?? null, `open "${name}", hold`)
    if (ids.has(id)) throw new ScopeExistsError(id)
    ids.add(id)
  }
}

export function assertClose({ status, atMs }: CloseRequest): void {
  assertTime(atMs, 'close')
  assertOneOf('close({ status })', status, END_STATUSES)
}

export function assertReserve({ reservationId, holder, messages, elastic, hold, atMs }: ReserveRequest): void {
  assertStorableText(reservationId, 'reserve({ reservationId })')
  assertStorableText(holder, 'reserve({ holder })')
  assertTime(atMs, 'reserve')
  if (messages !== undefined && !isAmount(messages)) {
    throw new InvalidAmountError({ place: 'reserve', meter: 'messages', value: messages, reason: 'not-an-amount' })
  }
  if (elastic !== undefined) assertElastic(elastic, 'reserve')
  if (hold !== undefined) assertReserveHold(hold)
}

export function assertSettle({ hold, assumed, atMs }: SettleRequest): void {
  if (assumed !== undefined && typeof assumed !== 'boolean') {
    throw new InvalidOptionError('settle({ assumed })', assumed, 'true or false')
  }
  if (hold !== undefined) assertHold(hold, 'settle, hold')
  assertTime(atMs, 'settle')
}

export function assertRelease({ hold, atMs }: ReleaseRequest): void {
  if (hold !== undefined) assertHold(hold, 'release, hold')
  assertTime(atMs, 'release')
}

export function assertAssume({ holder, beats, atMs }: AssumeRequest): void {
  assertStorableText(holder, 'assume({ holder })')
  assertTime(atMs, 'assume')
  if (beats !== undefined) assertWholeNumber('assume({ beats })', beats, 0, Number.MAX_SAFE_INTEGER)
}

export function assertBeat({ holder, atMs }: BeatRequest): void {
  assertStorableText(holder, 'beat({ holder })')
  assertTime(atMs, 'beat')
}

export function assertHoldRequest({ ask, atMs }: HoldRequest): void {
  assertTime(atMs, 'hold')
  assertHold(ask, 'hold')
}

export function assertSetLimits({ limits, atMs }: SetLimitsRequest): void {
  assertTime(atMs, 'setLimits')
  assertLimits(limits, 'setLimits')
}

export function assertPause({ requestId, document, atMs }: PauseRequest): void {
  assertTime(atMs, 'pause')
  if (requestId !== undefined && requestId !== null) assertStorableText(requestId, 'pause({ requestId })')
  assertDocument(document, 'pause({ document })')
}

export function assertResume({ owner, hold, atMs }: ResumeRequest): void {
  assertTime(atMs, 'resume')
  assertHold(hold ?? null, 'resume, hold')
  if (owner !== undefined) assertStorableText(owner, 'resume({ owner })')
}

export function assertNote({ document, atMs }: NoteRequest): void {
  assertTime(atMs, 'note')
  assertDocument(document, 'note({ document })')
}

export function assertAsk({ requestId, settled, asked, expiresAtMs, atMs }: AskRequest): void {
  assertStorableText(requestId, 'ask({ requestId })')
  assertTime(atMs, 'ask')
  assertTime(expiresAtMs, 'ask({ expiresAtMs })')
  assertWholeNumber('ask({ settled })', settled, 0, Number.MAX_SAFE_INTEGER)
  assertWholeNumber('ask({ asked })', asked, 1, Number.MAX_SAFE_INTEGER)
}

export function assertAnswer({ verdict, amount, atMs }: AnswerRequest): void {
  assertTime(atMs, 'answer')
  assertOneOf('answer({ verdict })', verdict, VERDICTS)
  if (amount !== undefined) assertWholeNumber('answer({ amount })', amount, 1, Number.MAX_SAFE_INTEGER)
}

export function assertAddKey({ keyId, hash, name = null, role, expiresAtMs = null, atMs }: AddKeyRequest): void {
  assertStorableText(keyId, 'addKey({ keyId })')
  assertHash(hash)
  if (name !== null) assertStorableText(name, 'addKey({ name })', { longest: LONGEST_KEY_NAME })
  assertTime(atMs, 'addKey')
  if (role !== undefined) assertOneOf('addKey({ role })', role, KEY_ROLES)
  if (expiresAtMs !== null) assertTime(expiresAtMs, 'addKey({ expiresAtMs })')
}

export function assertRevokeKey({ atMs }: RevokeKeyRequest): void {
  assertTime(atMs, 'revokeKey')
}

/** Documents are returned unchanged, so unstorable text is refused, not repaired. JSON is always storable. */
function assertDocument(document: string | undefined, place: string): void {
  if (document !== undefined) assertStorableText(document, place, { least: 0, longest: LONGEST_DOCUMENT })
}

// The value isn't shown: it may be the key itself, by mistake.
function assertHash(hash: unknown): void {
  if (typeof hash === 'string' && SHA_256.test(hash)) return
  throw new InvalidOptionError('addKey({ hash })', undefined, 'the SHA-256 of the key in hexadecimal')
}
