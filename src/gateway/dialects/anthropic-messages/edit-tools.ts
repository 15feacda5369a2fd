import type { RequestEdits } from '../../../loop/request-view.ts'
import { type JsonEdits, memberOf } from '../../json/index.ts'
import { objectFrom } from '../shared/request/json-value.ts'
import type { TopLevelEdits } from '../shared/request/top-level-edits.ts'
import type { MessagesRequest } from './messages-request.ts'

const NONE = '{"type":"none"}'
const ONE_AT_A_TIME = 'disable_parallel_tool_use'

/** Bounds and removes provider-run tools, and sets how the others may be called. */
export function editTools(
  edits: JsonEdits,
  request: MessagesRequest,
  changes: RequestEdits,
  topLevel: TopLevelEdits,
): void {
  const { forcesTool } = request
  const { toolList, serverList } = request.fields
  const all = toolList.length + serverList.length
  if (all === 0) return
  const gone = goneTools(request, changes)
  if (gone.size === all || (changes.closing?.withoutTools === true && !forcesTool)) {
    for (const field of ['tools', 'mcp_servers', 'tool_choice']) topLevel.set(field, null)
    return
  }
  takeOut(edits, request, gone, topLevel)
  boundUses(edits, request, changes)
  chooseTools(edits, request, gone, changes, topLevel)
}

/** The indexes of removed tools and servers, numbered across both lists. A toolset is removed with its server. */
function goneTools(request: MessagesRequest, { providerToolUses }: RequestEdits): ReadonlySet<number> {
  const { toolList, serverList } = request.fields
  const gone = new Set<number>()
  for (const { index } of request.providerTools) {
    if (providerToolUses?.get(index) !== null) continue
    gone.add(index)
    const server = toolList[index]?.mcp_server_name
    serverList.forEach(({ name }, place) => {
      if (server !== undefined && name === server) gone.add(toolList.length + place)
    })
  }
  return gone
}

function takeOut(
  edits: JsonEdits,
  { json, fields: { toolList, serverList } }: MessagesRequest,
  gone: ReadonlySet<number>,
  topLevel: TopLevelEdits,
): void {
  const lists = [
    { field: 'tools', from: 0, length: toolList.length },
    { field: 'mcp_servers', from: toolList.length, length: serverList.length },
  ]
  for (const { field, from, length } of lists) {
    const places = Array.from({ length }, (_, place) => place).filter((place) => gone.has(from + place))
    if (places.length === 0) continue
    if (places.length === length) topLevel.set(field, null)
    else for (const place of places) edits.removeElement(memberOf(json.root, field)!, place)
  }
}

function boundUses(
  edits: JsonEdits,
  { json, fields: { toolList } }: MessagesRequest,
  { providerToolUses, providerToolContents }: RequestEdits,
): void {
  const tools = memberOf(json.root, 'tools')
  for (const [index, tokens] of providerToolContents ?? []) {
    const isGone = providerToolUses?.get(index) === null
    if (tools !== null && index < toolList.length && !isGone) {
      edits.setMember(tools.elements[index]!, 'max_content_tokens', String(tokens))
    }
  }
  for (const [index, uses] of providerToolUses ?? []) {
    if (uses === null || tools === null || index >= toolList.length) continue
    edits.setMember(tools.elements[index]!, 'max_uses', String(uses))
  }
}

function chooseTools(
  edits: JsonEdits,
  { json, forcesTool, fields: { toolList } }: MessagesRequest,
  gone: ReadonlySet<number>,
  { closing, withoutParallelTools = false }: RequestEdits,
  topLevel: TopLevelEdits,
): void {
  const chosen = objectFrom(json.value.tool_choice)
  if (chosen?.type === 'none') return
  // A schema is a format of the text, and needs no tool.
  if (closing !== undefined && !forcesTool) {
    topLevel.set('tool_choice', NONE)
    return
  }
  const isChosenGone = chosen?.type === 'tool' && [...gone].some((index) => toolList[index]?.name === chosen.name)
  if (chosen === null || isChosenGone) {
    if (withoutParallelTools) topLevel.set('tool_choice', `{"type":"auto","${ONE_AT_A_TIME}":true}`)
    else if (isChosenGone) topLevel.set('tool_choice', null)
  } else if (withoutParallelTools) edits.setMember(memberOf(json.root, 'tool_choice')!, ONE_AT_A_TIME, 'true')
}
