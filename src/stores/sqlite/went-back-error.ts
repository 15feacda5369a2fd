/** The ledger says that less has happened in it than it has said before: an older copy was written over it. */
export class WentBackError extends Error {
  constructor(change: number, seen: number) {
    super(`it has seen ${change} transactions, and had seen ${seen}`)
  }
}
