import type { RequestFields, WireRequest } from '../dialect.ts'
import type { JsonObject } from '../shared/request/json-value.ts'

/** The fields of a request in this dialect, including those that its own edits need. */
export interface ResponsesFields extends RequestFields {
  readonly tools: readonly JsonObject[]
}

/** A request of this dialect. */
export interface ResponsesRequest extends WireRequest {
  readonly fields: ResponsesFields
}
