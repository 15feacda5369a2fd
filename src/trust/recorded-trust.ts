import type { Claim, Trust } from './claim.ts'
import { covers, factOf, type TrustFact } from './trust-fact.ts'
import type { TrustRecords } from './trust-records.ts'

/** Accepts the claims that were trusted. Each record is read once. */
export function recordedTrust(records: TrustRecords): Trust {
  const factsByFolder = new Map<string, readonly TrustFact[]>()
  return {
    accepts(claim) {
      const facts = factsByFolder.get(claim.folder) ?? records.read(claim.folder)?.facts ?? []
      factsByFolder.set(claim.folder, facts)
      return facts.some((fact) => covers(fact, claim))
    },
  }
}

/** Accepts every claim, and collects them. */
export function collectingTrust(): Trust & { readonly claims: readonly Claim[] } {
  const claims: Claim[] = []
  return {
    claims,
    accepts(claim) {
      const fact = factOf(claim)
      const isKnown = claims.some(
        (each) => each.folder === claim.folder && covers(fact, each) && covers(factOf(each), claim),
      )
      if (!isKnown) claims.push(claim)
      return true
    },
  }
}
