/** Something that must never be so. Ends its seed. */
class Violation extends Error {
  readonly oracle: string

  constructor(oracle: string, what: string) {
    super(`${oracle}: ${what}`)
    this.name = 'Violation'
    this.oracle = oracle
  }
}

/** Throws unless it holds. The text is only made when it does not. */
export function demand(holds: boolean, oracle: string, what: () => string): void {
  if (!holds) throw new Violation(oracle, what())
}
