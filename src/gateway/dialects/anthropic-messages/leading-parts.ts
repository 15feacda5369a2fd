import type { PromptPart } from '../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../json/index.ts'
import { type JsonObject, objectsFrom, textFrom } from '../shared/request/json-value.ts'
import { leadingPart } from '../shared/request/leading-part.ts'
import { blocksText } from './blocks-text.ts'
import { mediaIn } from './media-parts.ts'
import { unmarkedDigest } from './unmarked-bytes.ts'

/** The system prompt, the tools and the schema of an answer. */
export function leadingParts(json: JsonBody): readonly PromptPart[] {
  const { system } = json.value
  const parts: PromptPart[] = []
  const systemSpan = memberOf(json.root, 'system')
  if (systemSpan !== null && system !== null) {
    const digest = unmarkedDigest(json.bytes, systemSpan)
    const text = (): string => blocksText(system)
    parts.push(leadingPart(json, systemSpan, { kind: 'system', digest, text, media: mediaIn(system) }))
  }
  const format = memberOf(memberOf(json.root, 'output_config'), 'format') ?? memberOf(json.root, 'output_format')
  const tools = memberOf(json.root, 'tools')
  for (const span of [tools, memberOf(json.root, 'mcp_servers'), format]) {
    if (span === null || span.kind === 'other') continue
    const digest = unmarkedDigest(json.bytes, span)
    const listed = span === tools ? { tools: toolsOf(objectsFrom(json.value.tools)) } : {}
    parts.push(leadingPart(json, span, { kind: 'tools', digest, ...listed }))
  }
  return parts
}

/** Tools defined by Anthropic have a type, and the request does not show how much they add to the prompt. */
function toolsOf(tools: readonly JsonObject[]): NonNullable<PromptPart['tools']> {
  const definedTools = tools.map(({ type }) => textFrom(type)).filter((type) => type !== '' && type !== 'custom')
  return { toolCount: tools.length, definedTools }
}
