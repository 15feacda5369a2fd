import { StintError } from '../core/stint-error.ts'

/** A request that cannot be governed as it is written. The message names the place and what to do. */
export class BadRequestError extends StintError<'bad_request'> {
  /** A path into the body (`messages[3].content`), or `body`. */
  readonly place: string

  /** `problem` completes the sentence "`place` …": `is "lots", but must be a whole number from 1`. */
  constructor(place: string, problem: string) {
    super('bad_request', `${place} ${problem}.`)
    this.place = place
  }
}
