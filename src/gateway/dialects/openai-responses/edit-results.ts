import { type JsonEdits, type JsonSpan, memberOf } from '../../json/index.ts'
import { editResult, editText, LEFT_OUT, type ResultEdits, textsOf } from '../shared/request/edit-result.ts'
import { type JsonObject, objectFrom, objectsFrom } from '../shared/request/json-value.ts'

/** Changes a tool result. A screenshot cannot hold text. */
export function writeResult(changes: JsonEdits, holder: JsonSpan, item: JsonObject, change: ResultEdits): void {
  if (item.type === 'shell_call_output') editShellResult(changes, memberOf(holder, 'output'), item, change)
  else if (objectFrom(item.output) === null && item.type !== 'tool_search_output') {
    editResult(changes, { holder, value: item, field: 'output', textType: 'input_text' }, change)
  }
}

/** The texts of a tool result that may be changed. */
export function resultTextsIn(item: JsonObject): readonly string[] {
  if (item.type !== 'shell_call_output') return textsOf(item.output)
  return objectsFrom(item.output).flatMap(({ stdout, stderr }) => [...textsOf(stdout), ...textsOf(stderr)])
}

/** One entry for each command: its output is changed, its exit status stays. */
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
