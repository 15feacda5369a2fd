import { StintError } from '../../core/stint-error.ts'

/** The store couldn't do it now and changed nothing. */
export class StoreUnavailableError extends StintError<'store_unavailable'> {
  /** `problem` is a sentence that names the file. */
  constructor(problem: string, cause?: unknown) {
    super('store_unavailable', `${problem} Nothing was written; fix this and try again.`, {
      retryable: true,
      cause,
    })
  }
}

/** Other processes kept the store locked for too long. */
export class StoreBusyError extends StintError<'store_busy'> {
  /** `problem` is a sentence. */
  constructor(problem: string, cause?: unknown) {
    super('store_busy', `${problem} Nothing was written; try again.`, { retryable: true, cause })
  }
}

/** The store was used after it was closed. */
export class StoreClosedError extends StintError<'store_unavailable'> {
  constructor() {
    super('store_unavailable', 'The store is closed. Open it again, and close it only when nothing uses it any more.')
  }
}
