import { StintError } from '../../../core/stint-error.ts'

/** The store could not do it now, and did nothing. */
export class StoreUnavailableError extends StintError {
  /** `problem` is a sentence that names the file. */
  constructor(problem: string, cause?: unknown) {
    super('store_unavailable', `${problem} Nothing was written; try again when that is mended.`, {
      retryable: true,
      cause,
    })
  }
}

/** Others kept the store for themselves for too long. */
export class StoreBusyError extends StintError {
  /** `problem` is a sentence. */
  constructor(problem: string, cause?: unknown) {
    super('store_busy', `${problem} Nothing was written; try again.`, { retryable: true, cause })
  }
}

/** Somebody uses a store that was closed. */
export class StoreClosedError extends StintError {
  constructor() {
    super('store_unavailable', 'The store is closed. Open it anew, and close it after all that uses it has ended.')
  }
}
