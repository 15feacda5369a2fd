import type { Clock, KeyStore } from '../../core/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { Admission } from '../gateway.ts'
import { hashGatewayKey, isGatewayKey } from './gateway-key.ts'

export interface KeyAdmissionOptions {
  readonly clock?: Pick<Clock, 'wallMs' | 'monotonicMs'>
}

interface AdmittedKey {
  readonly scope: Scope
  readonly name: string
  readonly expiresAtMs: number | null
  /** When the lookup that found it valid began. */
  readonly seenAtMs: number
}

interface Look {
  readonly seenAtMs: number
  readonly admitted: Promise<AdmittedKey | null>
}

// From this age on, a key that was valid is looked up again in the background.
const FRESH_MS = 400
// An older result admits no one: a revoked key is refused within a second.
const LONGEST_MS = 900
const MOST_KEPT = 10_000

/**
 * Admits callers with a key of the ledger to the scope it is bound to. A key in use costs its requests no lookup: a
 * result is valid for less than a second, and is refreshed meanwhile. If the ledger cannot be reached for longer, every
 * key is refused.
 *
 * A key is found by its hash, with an ordinary comparison: its timing may reveal how much of a hash is right, but an
 * attacker cannot choose the hashes, and a hash does not reveal its key.
 */
export function createKeyAdmission(
  store: Pick<KeyStore, 'keyByHash'>,
  governor: Pick<Governor, 'find'>,
  { clock = SYSTEM_CLOCK }: KeyAdmissionOptions = {},
): Admission {
  const kept = new Map<string, AdmittedKey>()
  const looks = new Map<string, Look>()

  function look(hash: string): Promise<AdmittedKey | null> {
    const seenAtMs = clock.monotonicMs()
    const underWay = looks.get(hash)
    if (underWay !== undefined && seenAtMs - underWay.seenAtMs <= FRESH_MS) return underWay.admitted
    const mine: Look = { seenAtMs, admitted: readKey(hash, seenAtMs) }
    looks.set(hash, mine)
    const end = (): void => {
      if (looks.get(hash) === mine) looks.delete(hash)
    }
    mine.admitted.then(end, end)
    return mine.admitted
  }

  async function readKey(hash: string, seenAtMs: number): Promise<AdmittedKey | null> {
    const key = await store.keyByHash({ hash })
    const isGood = key !== null && key.revokedAtMs === null && key.role === undefined
    const scope = isGood ? await governor.find(key.scopeId) : null
    // A later lookup has the newer answer.
    if ((kept.get(hash)?.seenAtMs ?? seenAtMs) > seenAtMs) return kept.get(hash)!
    kept.delete(hash)
    if (key === null || scope === null) return null
    const name = `key ${key.name ?? key.id}`
    const admitted = { scope, name, expiresAtMs: key.expiresAtMs, seenAtMs }
    kept.set(hash, admitted)
    if (kept.size > MOST_KEPT) forgetOldest(kept)
    return admitted
  }

  return {
    async scopeOf(key) {
      if (!isGatewayKey(key)) return null
      const hash = hashGatewayKey(key)
      const known = kept.get(hash)
      const ageMs = known === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - known.seenAtMs
      // If it fails, the next request looks it up again.
      if (ageMs > FRESH_MS && ageMs <= LONGEST_MS) look(hash).catch(() => {})
      const admitted = known !== undefined && ageMs <= LONGEST_MS ? known : await look(hash)
      if (admitted === null) return null
      const isExpired = admitted.expiresAtMs !== null && clock.wallMs() >= admitted.expiresAtMs
      return isExpired ? null : admitted.scope
    },
    nameOf: (key) => kept.get(hashGatewayKey(key))?.name ?? null,
  }
}

const SYSTEM_CLOCK: NonNullable<KeyAdmissionOptions['clock']> = {
  wallMs: Date.now,
  monotonicMs: () => performance.now(),
}

function forgetOldest(kept: Map<string, AdmittedKey>): void {
  const [oldest] = kept.keys()
  kept.delete(oldest!)
}
