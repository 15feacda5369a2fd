import {
  assertStorableText,
  assertTime,
  assertWholeNumber,
  type LeaseOutcome,
  type LeaseReading,
  type LeaseRequest,
} from '../../core/index.ts'
import type { Ledger } from './state/ledger.ts'

const LONGEST_MS = 600_000
const LONGEST_TEXT = 4_000_000

export function assertLease({ lease, holder, forMs, text, atMs }: LeaseRequest): void {
  assertStorableText(lease, 'lease({ lease })', { longest: 200 })
  assertStorableText(holder, 'lease({ holder })')
  assertWholeNumber('lease({ forMs })', forMs, 0, LONGEST_MS)
  if (text !== undefined) assertStorableText(text, 'lease({ text })', { least: 0, longest: LONGEST_TEXT })
  assertTime(atMs, 'lease')
}

/** The name under which a lease is stored. */
export function leaseKept(lease: string): string {
  return `lease ${lease}`
}

/** Takes a free lease, and renews one that the caller holds. */
export function takeLease(ledger: Ledger, request: LeaseRequest): LeaseOutcome {
  const { lease, holder, forMs, atMs } = request
  const known = readLease(ledger, { lease })
  // A lease that lasts longer than the maximum was taken before the clock went back.
  const isTaken = known !== null && known.untilMs > atMs && known.untilMs - atMs <= LONGEST_MS
  if (known !== null && isTaken && known.holder !== holder) return { kind: 'taken', ...known }
  const text = request.text ?? known?.text ?? null
  const reading: LeaseReading = { holder, untilMs: atMs + forMs, text }
  ledger.keep(leaseKept(lease), JSON.stringify(reading))
  return { kind: 'held', ...reading }
}

export function readLease(ledger: Ledger, { lease }: Pick<LeaseRequest, 'lease'>): LeaseReading | null {
  const kept = ledger.kept(leaseKept(lease))
  return kept === null ? null : JSON.parse(kept)
}
