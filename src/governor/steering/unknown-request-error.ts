import { StintError, showValue } from '../../core/index.ts'

/** No request for more waits under this id: it was answered, has expired, or never was. */
export class UnknownRequestError extends StintError {
  readonly requestId: string

  constructor(requestId: string) {
    super('unknown_request', `No open request has the id ${showValue(requestId)}. governor.requests() lists them.`)
    this.requestId = requestId
  }
}
