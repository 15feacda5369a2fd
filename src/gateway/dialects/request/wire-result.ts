import type { PromptPart, RequestEdits, ToolResult } from '../../../loop/request-view.ts'
import { type ByteEdit, createJsonEdits, type JsonEdits } from '../../json/index.ts'
import type { ResultEdits } from './edit-result.ts'

export interface ResultSource {
  readonly toolCallId: string
  /** Its texts that `write` may change. */
  readonly texts: readonly string[]
  write(edits: JsonEdits, change: ResultEdits): void
}

/** One tool result of a conversation. Its changes are written down once: the next request has the same hint under it. */
export class WireResult {
  readonly toolCallId: string
  readonly key: string
  /** The index of its message. */
  readonly message: number
  readonly texts: readonly string[]
  readonly #write: ResultSource['write']
  #hint: string | null = null
  #isLeftOut = false
  #harmless: readonly (string | undefined)[] = NONE
  #edits: readonly ByteEdit[] = NO_EDITS

  constructor({ toolCallId, texts, write }: ResultSource, key: string, message: number) {
    this.toolCallId = toolCallId
    this.key = key
    this.message = message
    this.texts = texts
    this.#write = write
  }

  /** The bytes that a change of it is. */
  edits(change: ResultEdits): readonly ByteEdit[] {
    const { hint, defused, isLeftOut } = change
    const harmless = defused === undefined || defused.size === 0 ? NONE : this.texts.map((text) => defused.get(text))
    const isSame = hint === this.#hint && isLeftOut === this.#isLeftOut && isSameList(harmless, this.#harmless)
    if (isSame) return this.#edits
    const edits = createJsonEdits()
    this.#write(edits, change)
    this.#hint = hint
    this.#isLeftOut = isLeftOut
    this.#harmless = harmless
    this.#edits = edits.toByteEdits()
    return this.#edits
  }
}

const NONE: readonly undefined[] = []
const NO_EDITS: readonly ByteEdit[] = []

function isSameList(left: readonly (string | undefined)[], right: readonly (string | undefined)[]): boolean {
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index++) if (left[index] !== right[index]) return false
  return true
}

/** The same as the loop sees them. Those after the last answer of the model are the newest batch. */
export function toolResultsOf(
  messages: readonly Pick<PromptPart, 'kind'>[],
  results: readonly WireResult[],
): readonly ToolResult[] {
  const lastAnswer = messages.findLastIndex(({ kind }) => kind === 'assistant')
  return results.map(({ toolCallId, key, message }) => ({ toolCallId, key, isNewest: message > lastAnswer }))
}

/** The texts of these tool results, in order. */
export function resultTextsOf(results: readonly WireResult[]): readonly string[] {
  return results.flatMap(({ texts }) => texts)
}

/** Hints, look-alikes and left-out results, each result by its tool-call id and its place in the order. */
export function editResults(
  edits: JsonEdits,
  results: readonly WireResult[],
  { hints, defused, closing }: RequestEdits,
): void {
  let leftOut = closing?.resultsLeftOut ?? 0
  if (hints === undefined && defused === undefined && leftOut === 0) return
  for (const result of results) {
    const hint = hints?.get(result.key) ?? null
    edits.include(result.edits({ hint, defused, isLeftOut: leftOut-- > 0 }))
  }
}
