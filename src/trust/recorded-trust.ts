import type { Claim, Trust } from './claim.ts'
import { covers, factOf, type TrustFact } from './trust-fact.ts'
import type { TrustRecords } from './trust-records.ts'

/** Believes what was trusted, and nothing else. Each record is read once. */
export function recordedTrust(records: TrustRecords): Trust {
  const factsByFolder = new Map<string, readonly TrustFact[]>()
  return {
    believes(claim) {
      const facts = factsByFolder.get(claim.folder) ?? records.read(claim.folder)?.facts ?? []
      factsByFolder.set(claim.folder, facts)
      return facts.some((fact) => covers(fact, claim))
    },
  }
}

/** Believes everything, and remembers what that was. */
export function collectingTrust(): Trust & { readonly claims: readonly Claim[] } {
  const claims: Claim[] = []
  return {
    claims,
    believes(claim) {
      const fact = factOf(claim)
      const isKnown = claims.some(
        (each) => each.folder === claim.folder && covers(fact, each) && covers(factOf(each), claim),
      )
      if (!isKnown) claims.push(claim)
      return true
    },
  }
}
