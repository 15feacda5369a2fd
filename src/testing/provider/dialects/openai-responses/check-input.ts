import { isGiven, type JsonObject, objectOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import { emptyArray } from '../openai-refusals.ts'
import type { ReadContext } from '../provider-dialect.ts'

const CALL = /^(function|custom_tool|local_shell|shell|apply_patch|computer)_call$/
const CALL_OUTPUT = /^(function|custom_tool|local_shell|shell|apply_patch|computer)_call_output$/

/** The whole conversation: what the provider has stored, plus this request. Throws what the provider refuses. */
export function checkInput(body: JsonObject, context: ReadContext): readonly JsonObject[] {
  const items = [...keptItems(body.previous_response_id, context), ...itemsOf(body.input)]
  if (items.length === 0) {
    badRequest("One of 'input' or 'previous_response_id' or 'prompt' or 'conversation' must be provided.", {
      param: 'input',
      code: 'missing_required_parameter',
    })
  }
  checkCalls(items)
  checkReasoning(items)
  return items
}

/** Whether the item is a call that the client has to answer. */
export function isCall(item: JsonObject): boolean {
  return CALL.test(textOf(item.type))
}

/** Whether the item answers a call. */
export function isCallOutput(item: JsonObject): boolean {
  return CALL_OUTPUT.test(textOf(item.type))
}

/** The id that a call and its answer share. The old shell tool has only an id. */
export function callIdOf(item: JsonObject): string {
  return textOf(item.call_id) || textOf(item.id)
}

function keptItems(id: unknown, context: ReadContext): readonly JsonObject[] {
  if (!isGiven(id)) return []
  return (
    context.conversationOf(textOf(id)) ??
    badRequest(`Previous response with id '${id}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  )
}

function itemsOf(input: unknown): readonly JsonObject[] {
  if (!isGiven(input)) return []
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  if (!Array.isArray(input)) {
    return badRequest("Invalid type for 'input': expected one of an array of objects or string.", {
      param: 'input',
      code: 'invalid_type',
    })
  }
  if (input.length === 0) return emptyArray('input')
  return input.map((value, at) => {
    const param = `input[${at}]`
    const item = objectOf(value) ?? badRequest(`Invalid type for '${param}': expected an object.`, { param })
    if (isGiven(item.type)) return item
    if (isGiven(item.role)) return { type: 'message', ...item }
    return badRequest(`Missing required parameter: '${param}.type'.`, { param, code: 'missing_required_parameter' })
  })
}

function checkCalls(items: readonly JsonObject[]): void {
  const open = new Set<string>()
  for (const item of items) {
    const id = callIdOf(item)
    if (isCall(item)) open.add(id)
    if (isCallOutput(item) && !open.delete(id)) {
      badRequest(`No tool call found for function call output with call_id ${id}.`, { param: 'input' })
    }
  }
  for (const id of open) badRequest(`No tool output found for function call ${id}.`, { param: 'input' })
}

// Reasoning belongs to the item that follows it.
function checkReasoning(items: readonly JsonObject[]): void {
  items.forEach((item, at) => {
    if (item.type !== 'reasoning') return
    const next = items[at + 1]
    const isFollowed =
      next !== undefined && !isCallOutput(next) && !(next.type === 'message' && next.role !== 'assistant')
    if (isFollowed) return
    badRequest(`Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`, {
      param: 'input',
    })
  })
}
