import { StintError, showValue } from '../../core/index.ts'

/** No open request has this id: it was answered, has expired, or never existed. */
export class UnknownRequestError extends StintError<'unknown_request'> {
  readonly requestId: string

  constructor(requestId: string) {
    super('unknown_request', `No open request has the id ${showValue(requestId)}. governor.requests() lists them.`)
    this.requestId = requestId
  }
}
