import { hash } from 'node:crypto'
import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import {
  createJsonEdits,
  type JsonBody,
  type JsonEdits,
  type JsonSpan,
  memberOf,
  spliceBytes,
} from '../../json/index.ts'
import { type JsonObject, objectsFrom, textFrom } from '../request/json-value.ts'
import { LazyPart } from '../request/lazy-part.ts'
import { promptVariant } from '../request/prompt-variant.ts'
import { blocksText } from './blocks-text.ts'
import { mediaIn } from './media-parts.ts'

const CACHE_MARK = 'cache_control'
// Old results are left out, and earlier thoughts are read or not.
const VARYING = ['context_management', 'thinking']

/** The prompt in parts. Nothing is hashed or joined before somebody asks. */
export function promptParts(json: JsonBody, messages: readonly JsonObject[]): PromptParts {
  let parts: readonly PromptPart[] | null = null
  return {
    get parts() {
      parts ??= [...leadingParts(json), ...messageParts(json, messages)]
      return parts
    },
    get variant() {
      return promptVariant(json.value, VARYING)
    },
  }
}

function leadingParts(json: JsonBody): readonly PromptPart[] {
  const { system } = json.value
  const parts: PromptPart[] = []
  const systemSpan = memberOf(json.root, 'system')
  if (systemSpan !== null && system !== null) {
    parts.push(createPart(json, { kind: 'system', span: systemSpan, content: system, text: () => blocksText(system) }))
  }
  const format = memberOf(memberOf(json.root, 'output_config'), 'format') ?? memberOf(json.root, 'output_format')
  const tools = memberOf(json.root, 'tools')
  for (const span of [tools, memberOf(json.root, 'mcp_servers'), format]) {
    if (span === null || span.kind === 'other') continue
    const text = () => json.bytes.toString('utf8', span.start, span.end)
    const source = { kind: 'tools' as const, span, content: null, text }
    parts.push(createPart(json, span === tools ? { ...source, tools: objectsFrom(json.value.tools) } : source))
  }
  return parts
}

/** What is defined by Anthropic has a type, and nothing in the request says what that adds to it. */
function toolsOf(tools: readonly JsonObject[]): NonNullable<PromptPart['tools']> {
  const definedTools = tools.map(({ type }) => textFrom(type)).filter((type) => type !== '' && type !== 'custom')
  return { toolCount: tools.length, definedTools }
}

function messageParts(json: JsonBody, messages: readonly JsonObject[]): readonly PromptPart[] {
  const spans = memberOf(json.root, 'messages')!.elements
  return messages.map(({ role, content }, index) =>
    createPart(json, {
      kind: role === 'assistant' ? 'assistant' : 'user',
      span: spans[index]!,
      content,
      text: () => blocksText(content),
    }),
  )
}

interface PartSource {
  readonly kind: PromptPart['kind']
  readonly span: JsonSpan
  /** Where media may stand: a list of blocks. */
  readonly content: unknown
  readonly text: () => string
  /** The tools that it is. */
  readonly tools?: readonly JsonObject[]
}

function createPart({ bytes }: JsonBody, { kind, span, content, text, tools }: PartSource): PromptPart {
  return new LazyPart({
    kind,
    bodyBytes: span.end - span.start,
    digest: () => hash('sha256', unmarked(bytes, span), 'base64'),
    media: () => mediaIn(content),
    text,
    ...(tools === undefined ? {} : { tools: toolsOf(tools) }),
  })
}

/**
 * The bytes of a part without its cache marks, and with a lone text block written as the text that it is: clients give
 * the newest message this form to mark it, and the plain one when it is no longer the newest.
 */
function unmarked(bytes: Buffer, part: JsonSpan): Buffer {
  const edits = createJsonEdits()
  removeMarks(edits, part)
  const content = memberOf(part, 'content')
  const text = content === null ? null : loneText(bytes, content)
  const own = bytes.subarray(part.start, part.end)
  if (text !== null) {
    const json = bytes.toString('utf8', text.start, text.end)
    return spliceBytes(own, shifted([{ start: content!.start, end: content!.end, text: json }], part.start))
  }
  return spliceBytes(own, shifted(edits.toByteEdits(), part.start))
}

function shifted(edits: ReturnType<JsonEdits['toByteEdits']>, by: number): ReturnType<JsonEdits['toByteEdits']> {
  return edits.map(({ start, end, text }) => ({ start: start - by, end: end - by, text }))
}

function removeMarks(edits: JsonEdits, span: JsonSpan): void {
  for (const element of span.elements) removeMarks(edits, element)
  for (const { key, value } of span.members) {
    if (key === CACHE_MARK) edits.removeMember(span, key)
    else removeMarks(edits, value)
  }
}

function loneText(bytes: Buffer, content: JsonSpan): JsonSpan | null {
  const [block, ...others] = content.elements
  if (block === undefined || others.length > 0) return null
  const hasMore = block.members.some(({ key }) => key !== 'type' && key !== 'text' && key !== CACHE_MARK)
  const type = memberOf(block, 'type')
  if (hasMore || type === null || bytes.toString('latin1', type.start, type.end) !== '"text"') return null
  return memberOf(block, 'text')
}
