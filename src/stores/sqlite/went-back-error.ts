/** The ledger reports fewer changes than before: an older copy was written over it. */
export class WentBackError extends Error {
  constructor(change: number, seen: number) {
    super(`it has seen ${change} transactions, but had already seen ${seen}`)
  }
}
