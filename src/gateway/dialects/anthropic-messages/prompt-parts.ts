import type { PromptPart, PromptParts } from '../../../loop/request-view.ts'
import { type JsonBody, type JsonSpan, memberOf } from '../../json/index.ts'
import { type JsonObject, objectsFrom, textFrom } from '../request/json-value.ts'
import { LazyPart } from '../request/lazy-part.ts'
import { promptVariant } from '../request/prompt-variant.ts'
import { blocksText } from './blocks-text.ts'
import { mediaIn } from './media-parts.ts'
import { unmarkedDigest } from './unmarked-bytes.ts'

// Old results are left out, and earlier thoughts are read or not.
const VARYING = ['context_management', 'thinking']

/** The prompt in parts. Nothing is hashed or joined before somebody asks. */
export function promptParts(json: JsonBody, conversation: readonly PromptPart[]): PromptParts {
  let parts: readonly PromptPart[] | null = null
  return {
    get parts() {
      parts ??= [...leadingParts(json), ...conversation]
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
    digest: () => unmarkedDigest(bytes, span),
    media: () => mediaIn(content),
    text,
    ...(tools === undefined ? {} : { tools: toolsOf(tools) }),
  })
}
