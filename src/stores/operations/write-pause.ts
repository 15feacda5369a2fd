import {
  type Breaches,
  InvalidOptionError,
  isEnded,
  type NoteRequest,
  type PauseOutcome,
  type PauseRecord,
  type PauseRequest,
  type ResumeOutcome,
  type ResumeRequest,
  storableText,
  storableTextOrNull,
} from '../../core/index.ts'
import { freePlace } from './close-scope.ts'
import { recordPaused, recordResumed } from './history/record-scope.ts'
import { sizeHoldOnPath } from './hold-on-path.ts'
import { assertHolderLives } from './holders.ts'
import { noteActive } from './note-active.ts'
import { adoptScope, takePlace } from './open-scopes.ts'
import { type Ledger, scopeIn } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'

/** Pauses a scope. Pausing it again replaces an open question and keeps its document. */
export function writePause(ledger: Ledger, request: PauseRequest): PauseOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  if (isEnded(scope.status)) return { kind: 'closed', scopeId: scope.id }
  const { requestId = null, atMs } = request
  const pause: PauseRecord = {
    reason: storableText(request.reason),
    breaches: copyOf(request.breaches ?? null),
    requestId,
    by: storableTextOrNull(request.by),
    atMs,
  }
  noteActive(ledger, scope, request)
  if (request.document !== undefined) ledger.setDocument(scope.id, request.document)
  if (scope.pause !== null && (scope.pause.requestId === null || requestId !== null)) {
    return { kind: 'duplicate', pause: scope.pause }
  }
  scope.status = 'paused'
  scope.pause = pause
  // A question keeps the hold, for the closing call if the answer is no, and the place: the process only waits.
  const leaves = requestId === null ? ({ leavesPlace: true } as const) : {}
  if (requestId === null) freePlace(scope)
  ledger.changes?.scope(scope)
  ledger.changes?.append(scope, { kind: 'paused', at: atMs, scope: scope.id, pause, ...leaves })
  recordPaused(ledger, scope, pause)
  ledger.steered(scope)
  return { kind: 'paused', pause }
}

/** Resumes a scope, once. An owner in the request takes it over. */
export function writeResume(ledger: Ledger, request: ResumeRequest): ResumeOutcome {
  const scope = scopeIn(ledger, request.scopeId)
  const { owner, atMs } = request
  if (owner !== undefined) assertHolderLives(ledger, owner)
  const by = storableTextOrNull(request.by)
  const { pause } = scope
  const mayGoOn = scope.status === 'paused' || (scope.isOrphaned && !isEnded(scope.status))
  const isOtherPause = request.requestId !== undefined && pause?.requestId !== request.requestId
  if (!mayGoOn || isOtherPause) return { kind: 'not-paused', status: scope.status, owner: scope.owner }
  if (scope.isOrphaned && owner === undefined) return { kind: 'no-owner' }
  scope.status = 'running'
  scope.pause = null
  if (scope.isOrphaned) adoptScope(ledger, scope, owner!, atMs)
  else if (owner !== undefined) scope.owner = owner
  // Its former place was freed. A person or its parent resumes it, so it does not queue for another one.
  takePlace(scope)
  if (request.hold !== undefined) sizeHoldOnPath(scope, request.hold, atMs)
  ledger.changes?.scope(scope)
  ledger.changes?.append(scope, { kind: 'resumed', at: atMs, scope: scope.id, owner: scope.owner, by })
  recordResumed(ledger, scope, pause, by, atMs)
  ledger.steered(scope)
  return { kind: 'resumed', pause, document: ledger.document(scope.id), activeMs: scope.activeMs }
}

/** Stores how long a scope has worked and what its loop needs. Ignored for a scope that has ended. */
export function noteScope(ledger: Ledger, request: NoteRequest): void {
  const { document } = request
  const scope: ScopeState = scopeIn(ledger, request.scopeId)
  if (isEnded(scope.status)) return
  noteActive(ledger, scope, request)
  if (document !== undefined) ledger.setDocument(scope.id, document)
}

/** A copy through JSON, so that the record is the same in memory and in a file. */
function copyOf(breaches: Breaches | null): Breaches | null {
  try {
    return JSON.parse(JSON.stringify(breaches))
  } catch {
    throw new InvalidOptionError('pause({ breaches })', breaches, 'the breaches of a refusal, or null')
  }
}
