import { StintError } from '../core/index.ts'

/** Thrown on opening something after the governor was closed. */
export class GovernorClosedError extends StintError<'governor_closed'> {
  constructor() {
    super('governor_closed', 'The governor is closed and cannot open anything. Create another one.')
  }
}
