import type { Needs } from '../../src/stores/operations/needs.ts'

/** An operation looked at something that wasn't loaded. The store begins again and loads it, too. */
export class NotLoadedError extends Error {
  readonly needs: Needs

  constructor(needs: Needs) {
    super(`These rows were not loaded: ${JSON.stringify(needs)}`)
    this.needs = needs
  }
}
