import type { ToolResult } from '../../../../loop/request-view.ts'
import type { JsonEdits } from '../../../json/index.ts'
import type { ResultEdits } from './edit-result.ts'

/** A tool result in its message. */
export interface ResultSource {
  readonly toolCallId: string
  /** Its texts that `write` may change. */
  readonly texts: readonly string[]
  write(edits: JsonEdits, change: ResultEdits): void
}

/** One tool result of a conversation. */
export interface WireResult extends ToolResult {
  /** The index of its message. */
  readonly message: number
}
