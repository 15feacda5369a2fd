import type { RequestEdits } from '../../../../loop/request-view.ts'
import type { ByteEdit } from '../../../json/index.ts'

/** A body as it was sent, kept for a later request that begins with it. */
interface EditedBody {
  readonly bytes: Buffer
  /**
   * `free`: it was sent and answered, so the next body may be written over what it does not share with it. `taken`: that
   * was done, so these bytes are no longer those that were sent.
   */
  memory: 'in use' | 'free' | 'taken'
  /** The identical fields object of its request. */
  readonly fields: object
  readonly changes: RequestEdits
  /** Its length before the edits, and where its last message ended. */
  readonly bodyBytes: number
  readonly lastEnd: number
  /** The edits apart from tool results, in body order. */
  readonly others: readonly ByteEdit[]
  /** Where each message ends in it. */
  readonly ends: readonly number[]
}

/** How the newest body of a conversation was sent; its first `same` messages are those of the request. */
export interface KnownEdits {
  readonly body: EditedBody | null
  readonly same: number
}
