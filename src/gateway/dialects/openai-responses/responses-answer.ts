import { usageFromOpenAiResponses } from '../../../pricing/index.ts'
import type { AnswerReading, RelayOptions } from '../dialect.ts'
import type { FollowedAnswer, MutableJson, Verdict } from '../shared/answer/followed-answer.ts'
import { createCallGate, EMPTIED_ANSWER, extendText } from '../shared/answer/index.ts'
import { servedBy } from '../shared/openai/served-by.ts'
import { objectFrom, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import { messageEvents, messageItem } from './message-events.ts'
import { createOutputSlots } from './output-slots.ts'
import { createOutputTexts } from './output-texts.ts'
import type { ResponsesRequest } from './responses-request.ts'

const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete'])
const EMPTIED_ID = 'msg_stint_emptied'

/** Follows an answer of this dialect: the events of a stream, or a whole answer, which is like the last event. */
export function createResponsesAnswer(request: ResponsesRequest, options: RelayOptions): FollowedAnswer {
  const gate = createCallGate(options, request)
  const slots = createOutputSlots()
  const texts = options.isClosing && !request.isFormForced ? createOutputTexts() : null
  let kept = ''
  const numbers = createNumbers()
  let before: MutableJson[] = []
  let usage: unknown = null
  let partial: unknown = null
  let answerId: string | null = null
  let model: unknown = null
  let serviceTier: unknown = null
  let isComplete = false
  let isCutByCap = false
  let hasError = false
  let isStripped = false

  /** The object that repeats the whole answer, or is all of it. */
  const readResponse = (response: MutableJson, event: MutableJson): boolean => {
    const isWhole = response === event
    const isEnd = isWhole ? isEndStatus(response.status) : ENDS.has(event.type)
    if (isEnd || isWhole || event.type === 'response.failed') usage = response.usage ?? usage
    else partial = response.usage ?? partial
    answerId = textFrom(objectFrom(response.conversation)?.id) || textFrom(response.id) || answerId
    model = response.model ?? model
    serviceTier = response.service_tier ?? serviceTier
    if (objectFrom(response.error) !== null || event.type === 'response.failed') hasError = true
    if (objectFrom(response.incomplete_details)?.reason === 'max_output_tokens') isCutByCap = true
    isComplete ||= isEnd
    const isOutputCut = mendOutput(response)
    if (kept === '') kept = extendText(kept, textOfOutput(response.output))
    const isEmptied = isEnd && gate.passed === 0 && kept === '' && (gate.cut > 0 || isStripped)
    if (isEmptied) fillIn(response, isWhole)
    return isOutputCut || isEmptied
  }

  const mendOutput = (response: MutableJson): boolean => {
    if (!Array.isArray(response.output)) return false
    const items = response.output
    const left = items.filter((item, index) => {
      const slot = objectFrom(item) === null ? undefined : slots.ofListed(item, index)
      return slot?.isPassed !== false
    })
    const isCut = left.length < items.length
    if (isCut) response.output = left
    const isMended = texts !== null && left.filter((item) => isMessage(item) && texts.mendItem(item)).length > 0
    if (isMended) {
      isStripped = true
      if (typeof response.output_text === 'string') response.output_text = textOfOutput(left)
    }
    return isCut || isMended
  }

  /** An answer with nothing left in it still gets some text. */
  const fillIn = (response: MutableJson, isWhole: boolean): void => {
    const output: unknown[] = Array.isArray(response.output) ? response.output : []
    if (!isWhole) before.push(...messageEvents(EMPTIED_ID, output.length, EMPTIED_ANSWER))
    response.output = [...output, messageItem(EMPTIED_ID, EMPTIED_ANSWER)]
    kept = extendText(kept, EMPTIED_ANSWER)
  }

  const rewrite = (event: MutableJson): Verdict => {
    const slot = slots.ofEvent(event)
    if (slot?.isPassed === false) return numbers.drop()
    const held = texts?.hold(event) ?? { isChanged: false, before: '' }
    let isChanged = held.isChanged
    isStripped ||= held.isChanged
    const item = objectFrom(event.item) as MutableJson | null
    if (texts !== null && item?.type === 'message' && texts.mendItem(item)) isChanged = true
    const response = responseIn(event)
    if (response !== null && readResponse(response, event)) isChanged = true
    if (typeof event.output_index === 'number') {
      const cut = slots.cutBefore(event.output_index)
      event.output_index -= cut
      if (cut > 0) isChanged = true
    }
    if (held.before !== '') {
      before.push({ ...pieceOf(event), delta: held.before, logprobs: [] })
      kept = extendText(kept, held.before)
    }
    if (event.type === 'response.output_text.delta') {
      if (event.delta === '' && held.isChanged) return numbers.drop()
      kept = extendText(kept, textFrom(event.delta))
    }
    for (const extra of before) numbers.number(extra, event)
    if (numbers.renumber(event) || before.length > 0) isChanged = true
    return isChanged ? 'changed' : 'same'
  }

  return {
    follow(event) {
      if (event.type === 'error' || objectFrom(event.error) !== null) hasError = true
      const calls = slots.newCalls(event)
      for (let index = 0; index < calls.length; index++) {
        const { call, slot } = calls[index]!
        const decision = gate.admit(call)
        if (typeof decision !== 'boolean') {
          return decision.then(async (isPassed) => {
            slot.isPassed = isPassed
            for (const later of calls.slice(index + 1)) later.slot.isPassed = await gate.admit(later.call)
            return rewrite(event)
          })
        }
        slot.isPassed = decision
      }
      return rewrite(event)
    },
    before() {
      const events = before
      before = []
      return events
    },
    rest: () => [],
    // The marker that ends other streams means nothing here: an answer ends with its own event.
    markDone: () => {},
    markError: () => {
      hasError = true
    },
    reading(): AnswerReading {
      const all = slots.all()
      return {
        answerId,
        usage: usage === null ? null : usageFromOpenAiResponses(usage),
        partialUsage: usage === null ? usageFromOpenAiResponses(partial).usage : null,
        toolCalls: { passed: gate.passed, cut: gate.cut },
        providerToolCalls: all.filter((slot) => slot.isProviderCall).length,
        webSearches: all.filter((slot) => slot.isWebSearch).length,
        served: servedBy(model, serviceTier),
        fileSearches: all.filter((slot) => slot.isFileSearch).length,
        text: kept,
        isComplete,
        isCutByCap,
        hasError,
        hasContent: all.length > 0,
      }
    },
  }
}

/** Keeps `sequence_number` without gaps when events come or go. */
function createNumbers() {
  let shift = 0
  return {
    drop(): Verdict {
      shift--
      return 'dropped'
    },
    /** Numbers an event that is inserted before another one. */
    number(extra: MutableJson, event: MutableJson): void {
      if (typeof event.sequence_number === 'number') extra.sequence_number = event.sequence_number + shift
      shift++
    },
    renumber(event: MutableJson): boolean {
      if (shift === 0 || typeof event.sequence_number !== 'number') return false
      event.sequence_number += shift
      return true
    },
  }
}

function responseIn(event: MutableJson): MutableJson | null {
  const inside = objectFrom(event.response) as MutableJson | null
  if (inside !== null) return inside
  return event.type === undefined && Array.isArray(event.output) ? event : null
}

function isEndStatus(status: unknown): boolean {
  return status === undefined || status === 'completed' || status === 'incomplete'
}

function isMessage(item: unknown): item is MutableJson {
  return objectFrom(item)?.type === 'message'
}

function pieceOf({ item_id, output_index, content_index }: MutableJson): MutableJson {
  return { type: 'response.output_text.delta', item_id, output_index, content_index }
}

function textOfOutput(output: unknown): string {
  return objectsFrom(output)
    .filter(isMessage)
    .flatMap((item) => objectsFrom(item.content))
    .map((part) => (part.type === 'output_text' ? textFrom(part.text) : ''))
    .join('')
}
