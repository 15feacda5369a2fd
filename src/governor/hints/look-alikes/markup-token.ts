/** A position in a text where tool-call markup, or code that is left alone, may begin or end. */
export type MarkupToken = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'fence'; readonly fence: string; readonly info: string }
  | { readonly kind: 'ticks'; readonly ticks: string }
  | TagToken
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'marker'; readonly name: string }
)

export interface TagToken {
  readonly kind: 'tag'
  readonly name: string
  readonly shape: 'opening' | 'closing' | 'empty'
  /** Cannot be ordinary XML, because of its name, namespace or attributes. */
  readonly isCertain: boolean
  /** Names the tool or parameter it is about, so it is more than a mention. */
  readonly isNamed: boolean
}

const FENCE = /^[ \t]*(?<fence>`{3,}|~{3,})(?<info>[^\n`<]*)$/
const TICKS = /(?<ticks>`+)/
// With or without a namespace (`x:invoke`, `｜DSML｜invoke`), also cut off at the end of the text.
const TAG =
  /<(?<slash>\/?)(?<space>[|｜]DSML[|｜]|[A-Za-z][\w.-]{0,63}:)?(?<tag>tool[_-]?calls?|tool_use|tool_code|function_calls?|function|invoke|parameter)(?=[\s=>/]|(?![\s\S]))(?<attributes>[^<>]*)(?:>|(?![\s\S]))/
const SPECIAL = /<[|｜](?<special>[^<>|｜\n]{1,64})[|｜]>/
const MARKER = /\[(?<marker>TOOL_CALLS|TOOL_REQUEST|END_TOOL_REQUEST)\]/

const TOKEN = new RegExp([FENCE, TICKS, TAG, SPECIAL, MARKER].map(({ source }) => source).join('|'), 'gm')

const NAMES_OF_ORDINARY_XML: ReadonlySet<string> = new Set(['function', 'parameter'])

type Groups = Readonly<Record<string, string | undefined>>

/** All of them, in order. Linear in the length of the text. */
export function markupTokensOf(text: string): readonly MarkupToken[] {
  return Array.from(text.matchAll(TOKEN), (match) => tokenOf(match.groups!, match.index, match.index + match[0].length))
}

function tokenOf(groups: Groups, start: number, end: number): MarkupToken {
  const { fence, info = '', ticks, tag, special, marker } = groups
  if (fence !== undefined) return { start, end, kind: 'fence', fence, info: info.trim() }
  if (ticks !== undefined) return { start, end, kind: 'ticks', ticks }
  if (tag !== undefined) return { start, end, ...tagOf(tag, groups) }
  // DeepSeek writes `tool▁calls▁begin` where others write `tool_calls_begin`.
  if (special !== undefined) return { start, end, kind: 'special', name: special.replace(/[▁ -]/g, '_') }
  return { start, end, kind: 'marker', name: marker! }
}

function tagOf(name: string, { slash, space, attributes = '' }: Groups): TagToken {
  const isEmpty = attributes.endsWith('/')
  const isNamed = /^=|\bname\s*=/.test(attributes)
  const isCertain = space !== undefined || !NAMES_OF_ORDINARY_XML.has(name) || (isNamed && !isEmpty)
  const shape = slash === '/' ? 'closing' : isEmpty ? 'empty' : 'opening'
  return { kind: 'tag', name, shape, isCertain, isNamed: isNamed || space !== undefined }
}
