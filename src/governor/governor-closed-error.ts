import { StintError } from '../core/index.ts'

/** Something was to be opened after the governor was closed. */
export class GovernorClosedError extends StintError {
  constructor() {
    super('governor_closed', 'The governor was closed, and opens nothing more. Create another one.')
  }
}
