import type { AssumedReservation, LedgerStore } from '../../core/index.ts'
import type { Platform } from '../platform.ts'

/** Charges what holders left behind that are known to be dead, so that it can be looked at and corrected. */
export async function assumeDead(store: LedgerStore, platform: Platform): Promise<readonly AssumedReservation[]> {
  const assumed: AssumedReservation[] = []
  for (const { holder, diedAtMs } of await store.holders()) {
    if (diedAtMs !== null || platform.isHolderAlive(holder) !== false) continue
    const { reservations } = await store.assume({ holder, atMs: platform.nowMs() })
    assumed.push(...reservations)
  }
  return assumed
}
