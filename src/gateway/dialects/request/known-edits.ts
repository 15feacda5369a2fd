import type { RequestEdits } from '../../../loop/request-view.ts'
import type { ByteEdit } from '../../json/index.ts'

/** A body as it went out, kept for a later request that begins like it. */
interface EditedBody {
  readonly bytes: Buffer
  /** The very fields of its request. */
  readonly fields: object
  readonly changes: RequestEdits
  /** How long it was before, and where its last message ended. */
  readonly bodyBytes: number
  readonly lastEnd: number
  /** What was changed beside the tool results, in the order of the body. */
  readonly others: readonly ByteEdit[]
  /** Where each message ends in it. */
  readonly ends: readonly number[]
}

/** How the newest body of a conversation went out; the first `same` messages in it are those of the request. */
export interface KnownEdits {
  readonly body: EditedBody | null
  readonly same: number
}
