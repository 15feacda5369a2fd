import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import { type JsonEdits, type JsonSpan, memberOf } from '../../json/index.ts'
import { editResult, editText, LEFT_OUT, type ResultEdits, textsOf } from '../request/edit-result.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../request/json-value.ts'
import { isToolResult, toolCallIdOf } from './input-items.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** Changes the tool results. A screenshot has no place for words. */
export function editResults(
  changes: JsonEdits,
  { json, items }: ResponsesRequest,
  { hints, defused, closing }: RequestEdits,
): void {
  let leftOut = closing?.resultsLeftOut ?? 0
  if (hints === undefined && defused === undefined && leftOut === 0) return
  const spans = memberOf(json.root, 'input')?.elements ?? []
  const keyOf = createResultKeys()
  items.forEach((item, index) => {
    if (!isToolResult(item)) return
    const edits = { hint: hints?.get(keyOf(toolCallIdOf(item))) ?? null, defused, isLeftOut: leftOut-- > 0 }
    const holder = spans[index]!
    if (item.type === 'shell_call_output') editShellResult(changes, memberOf(holder, 'output'), item, edits)
    else if (objectFrom(item.output) === null && item.type !== 'tool_search_output') {
      editResult(changes, { holder, value: item, field: 'output', textType: 'input_text' }, edits)
    }
  })
}

/** The texts of the tool results that may be changed. */
export function resultTextsOf(items: readonly JsonObject[]): readonly string[] {
  return items.filter(isToolResult).flatMap((item) => {
    if (item.type !== 'shell_call_output') return textsOf(item.output)
    return objectsFrom(item.output).flatMap(({ stdout, stderr }) => [...textsOf(stdout), ...textsOf(stderr)])
  })
}

/** One entry for each command: what it wrote is changed, how it ended stays. */
function editShellResult(
  changes: JsonEdits,
  output: JsonSpan | null,
  item: JsonObject,
  { hint, defused, isLeftOut }: ResultEdits,
): void {
  const commands = objectsFrom(item.output)
  if (output === null || commands.length !== output.elements.length) return
  commands.forEach((command, index) => {
    const lastHint = index === commands.length - 1 ? hint : null
    for (const stream of ['stdout', 'stderr']) {
      const span = memberOf(output.elements[index], stream)
      const text = command[stream]
      if (span === null || typeof text !== 'string') continue
      const streamHint = stream === 'stdout' ? lastHint : null
      if (!isLeftOut) editText(changes, span, text, { hint: streamHint, defused })
      else changes.replace(span, JSON.stringify(stream === 'stdout' ? leftOutText(streamHint) : ''))
    }
  })
}

function leftOutText(hint: string | null): string {
  return hint === null ? LEFT_OUT : `${LEFT_OUT}\n\n${hint}`
}
