import type { PromptPart } from '../../../../loop/request-view.ts'
import { type JsonBody, memberOf } from '../../../json/index.ts'
import { type JsonObject, objectsFrom } from '../request/json-value.ts'
import { leadingPart } from '../request/leading-part.ts'
import { partDigest, sha256 } from './part-digest.ts'

// For these kinds of tools, the request contains everything that the model reads.
const WRITTEN_OUT: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom', 'namespace'])
const LISTS_OF_TOOLS: ReadonlySet<string> = new Set(['tools', 'functions'])

/** Those of these fields that a request has, each as a part of the prompt. */
export function fieldParts(json: JsonBody, fields: readonly string[], kind: PromptPart['kind']): readonly PromptPart[] {
  return fields.flatMap((field) => {
    const span = memberOf(json.root, field)
    const value = json.value[field]
    if (span === null || value === null) return []
    const digest = partDigest(json.bytes.subarray(span.start, span.end), value)
    const text = typeof value === 'string' ? { text: () => value } : {}
    const listed = LISTS_OF_TOOLS.has(field) ? { tools: toolsOf(objectsFrom(value)) } : {}
    return [leadingPart(json, span, { kind, digest, ...text, ...listed })]
  })
}

function toolsOf(tools: readonly JsonObject[]): NonNullable<PromptPart['tools']> {
  const definedTools = tools.flatMap(({ type }) => (WRITTEN_OUT.has(type) ? [] : [String(type)]))
  return { toolCount: tools.length, definedTools }
}

/** Not in the body: a conversation, a template or a file stored at the provider. */
export function unseenPart(kind: PromptPart['kind'], id: string): PromptPart {
  return { kind, digest: sha256(`unseen ${id}`), text: () => '', bytes: 0, media: [{ kind: 'other', bytes: null }] }
}
