import type { JsonBody } from '../../json/index.ts'
import type { WireRequest } from '../dialect.ts'
import type { JsonObject } from '../request/json-value.ts'

/** A request of this dialect, with what its own edits and answers need. */
export interface ChatRequest extends WireRequest {
  readonly json: JsonBody
  readonly messageList: readonly JsonObject[]
}
