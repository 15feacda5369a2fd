import { fieldOf } from '../../format/field-of.ts'

/** A part of a message, as far as the page shows it. */
export interface MessagePart {
  readonly kind: 'text' | 'thinking' | 'call' | 'result'
  /** The tool; empty for words. */
  readonly name: string
  readonly text: string
}

/** The parts of a message as the AI SDK keeps it. What is not known is shown as JSON: nothing is left out. */
export function messageParts(content: unknown): readonly MessagePart[] {
  if (typeof content === 'string') return [{ kind: 'text', name: '', text: content }]
  return Array.isArray(content) ? content.map(partOf) : [{ kind: 'text', name: '', text: textOf(content) }]
}

function partOf(part: unknown): MessagePart {
  const type = fieldOf(part, 'type')
  const name = textOf(fieldOf(part, 'toolName') ?? '')
  if (type === 'text') return { kind: 'text', name: '', text: textOf(fieldOf(part, 'text')) }
  if (type === 'reasoning') return { kind: 'thinking', name: '', text: textOf(fieldOf(part, 'text')) }
  if (type === 'tool-call') return { kind: 'call', name, text: textOf(fieldOf(part, 'input')) }
  if (type === 'tool-result') return { kind: 'result', name, text: textOf(outputOf(part)) }
  return { kind: 'text', name: '', text: textOf(part) }
}

/** A result is `{ type: 'text', value }`, or JSON of another type. */
function outputOf(part: unknown): unknown {
  const output = fieldOf(part, 'output')
  return fieldOf(output, 'value') ?? output
}

/** A text as it is, and anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}
