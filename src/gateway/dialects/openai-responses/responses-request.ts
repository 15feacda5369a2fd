import type { JsonBody } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import type { JsonObject } from '../request/json-value.ts'

/** A request of this dialect, with what its own edits and answers need. */
export interface ResponsesRequest extends WireRequest {
  readonly json: JsonBody
  /** The items of the input; none where it is a text. */
  readonly items: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
}
