import { MEDIA_TOKENS, type TokenRule } from '../../counting/token-rule.ts'
import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { PromptPart } from '../../provider-request.ts'
import { blockProblem } from './block-problem.ts'
import type { Message } from './check-messages.ts'

const MOST_MARKS = 4

/** Tools, system prompt and messages, as the cache sees them. Throws for invalid cache marks. */
export function promptParts(body: JsonObject, messages: readonly Message[], rule: TokenRule): readonly PromptPart[] {
  const system = body.system
  const systemBlocks = typeof system === 'string' ? [{ type: 'text', text: system }] : objectsOf(system)
  systemBlocks.forEach((block, at) => {
    const problem = system === '' ? null : blockProblem(block)
    if (problem !== null) badRequest(`system.${at}${problem}`)
  })
  const parts = [
    ...objectsOf(body.tools).map((tool) => partOf('tools', tool, rule.tokensOf(JSON.stringify(withoutMark(tool))))),
    ...systemBlocks.map((block) => partOf('system', block, blockTokens(block, rule))),
    ...messages.flatMap(({ role, blocks }, at) => {
      const where = at === 0 ? `${messageSettings(body)} ${role}` : role
      return blocks.map((block) => partOf(where, block, blockTokens(block, rule)))
    }),
  ]
  const marked = isGiven(body.cache_control) ? markLast(parts, markOf(body)) : parts
  checkMarks(marked)
  return marked
}

// As published: a different thinking budget or tool choice invalidates the cached messages only.
function messageSettings({ thinking, tool_choice }: JsonObject): string {
  const { type: thinks = 'disabled', budget_tokens = null } = objectOf(thinking) ?? {}
  return JSON.stringify([thinks, budget_tokens, objectOf(tool_choice) ?? { type: 'auto' }])
}

function partOf(where: string, block: JsonObject, tokens: number): PromptPart {
  return { key: `${where} ${JSON.stringify(withoutMark(block))}`, tokens, mark: markOf(block) }
}

function withoutMark({ cache_control: _, ...rest }: JsonObject): JsonObject {
  return rest
}

function markOf(block: JsonObject): PromptPart['mark'] {
  const mark = objectOf(block.cache_control)
  return mark === null ? null : mark.ttl === '1h' ? '1h' : '5m'
}

// A mark on the whole request is at its end.
function markLast(parts: readonly PromptPart[], mark: PromptPart['mark']): readonly PromptPart[] {
  const last = parts.at(-1)
  return last === undefined ? parts : [...parts.slice(0, -1), { ...last, mark: last.mark ?? mark }]
}

function checkMarks(parts: readonly PromptPart[]): void {
  const marks = parts.flatMap(({ mark }) => mark ?? [])
  if (marks.length > MOST_MARKS) {
    badRequest(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`)
  }
  if (marks.lastIndexOf('1h') > marks.indexOf('5m') && marks.includes('5m')) {
    badRequest("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")
  }
}

/** The text of a block that the model reads. */
function blockTokens(block: JsonObject, rule: TokenRule): number {
  switch (block.type) {
    case 'text':
      return rule.tokensOf(textOf(block.text))
    case 'thinking':
      return rule.tokensOf(textOf(block.thinking))
    case 'tool_use':
      return rule.tokensOf(textOf(block.name)) + rule.tokensOf(JSON.stringify(block.input))
    case 'tool_result':
      return typeof block.content === 'string'
        ? rule.tokensOf(block.content)
        : objectsOf(block.content).reduce((sum, each) => sum + blockTokens(each, rule), 0)
    case 'image':
    case 'document':
      return MEDIA_TOKENS
    default:
      return rule.tokensOf(JSON.stringify(withoutMark(block)))
  }
}

/** The texts in the content of a block or a message. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((block) => textOf(block.text))
    .join('')
}
