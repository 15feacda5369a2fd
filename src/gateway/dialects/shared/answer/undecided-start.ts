export interface Undecided {
  /** Everything before it is certainly text. */
  readonly start: number
  /** Markup begins there. Otherwise what follows will decide. */
  readonly isMarkup: boolean
}

const SUSPICIOUS = /[<[`~]/g
const FENCE_LINE = /^[ \t]*(?<fence>`{3,}|~{3,})(?<info>[^\n`<]*)$/
const MARKERS = ['[TOOL_CALLS]', '[TOOL_REQUEST]', '[END_TOOL_REQUEST]']
const NAMES = 'tool[_-]?calls?|tool_use|tool_code|function_calls?|function|invoke|parameter'
const SPACE = '(?:[|｜]DSML[|｜]|[A-Za-z][\\w.-]{0,63}:)?'
const WHOLE_TAG = new RegExp(`<(?:/?${SPACE}(?:${NAMES})(?=[\\s=>/])[^<>]*|[|｜][^<>|｜\\n]{1,64}[|｜])>`, 'y')
// A start that may still become one of these: an incomplete name, or attributes that have not ended.
const BEGUN_TAG = new RegExp(`<(?:/?${SPACE}(?:${NAMES})[\\s=/][^<>]*|/?[\\w.:-]{0,90}|/?[|｜][^<>\\n]{0,90})$`, 'y')

/**
 * The position of the first tool-call markup, certain or possible: a tag, a marker, a fence or code that is still open.
 * `isMarkup` judges a complete section.
 */
export function undecidedStart(text: string, isMidLine: boolean, isMarkup: (part: string) => boolean): Undecided {
  let reached = 0
  for (;;) {
    SUSPICIOUS.lastIndex = reached
    const found = SUSPICIOUS.exec(text)
    if (found === null) return { start: text.length, isMarkup: false }
    const start = found.index
    const end = partEnd(text, start, isMidLine)
    if (end === null) return { start, isMarkup: false }
    if (end > start + 1 && isMarkup(text.slice(0, end))) return { start, isMarkup: true }
    reached = end
  }
}

/** The end of the section that begins here; `null` if not known yet. */
function partEnd(text: string, start: number, isMidLine: boolean): number | null {
  const character = text[start]
  if (character === '[') return markerEnd(text, start)
  if (character === '<') return tagEnd(text, start)
  return codeEnd(text, start, isMidLine)
}

function markerEnd(text: string, start: number): number | null {
  const whole = MARKERS.find((marker) => text.startsWith(marker, start))
  if (whole !== undefined) return start + whole.length
  const tail = text.slice(start, start + 20)
  return start + tail.length === text.length && MARKERS.some((marker) => marker.startsWith(tail)) ? null : start + 1
}

function tagEnd(text: string, start: number): number | null {
  WHOLE_TAG.lastIndex = start
  if (WHOLE_TAG.test(text)) return WHOLE_TAG.lastIndex
  BEGUN_TAG.lastIndex = start
  return BEGUN_TAG.test(text) ? null : start + 1
}

/** A fence ends at the line that closes it; other backticks at the same number of them on the same line. */
function codeEnd(text: string, start: number, isMidLine: boolean): number | null {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const lineEnd = text.indexOf('\n', start)
  const isLineStart = (lineStart > 0 || !isMidLine) && text.slice(lineStart, start).trim() === ''
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd)
  if (isLineStart && (lineEnd === -1 || FENCE_LINE.test(line))) {
    if (lineEnd === -1)
      return FENCE_LINE.test(line) || /^[ \t]*(?:`{1,2}|~{1,2})$/.test(line) ? null : ticksEnd(text, start, lineEnd)
    return fenceEnd(text, line, lineEnd)
  }
  return ticksEnd(text, start, lineEnd)
}

function fenceEnd(text: string, openingLine: string, openingEnd: number): number | null {
  const { fence } = FENCE_LINE.exec(openingLine)!.groups!
  let lineStart = openingEnd + 1
  for (;;) {
    const lineEnd = text.indexOf('\n', lineStart)
    if (lineEnd === -1) return null
    const closing = FENCE_LINE.exec(text.slice(lineStart, lineEnd))?.groups
    if (closing?.info?.trim() === '' && closing.fence!.startsWith(fence!)) return lineEnd
    lineStart = lineEnd + 1
  }
}

function ticksEnd(text: string, start: number, lineEnd: number): number | null {
  if (text[start] === '~') return start + 1
  let end = start
  while (text[end] === '`') end++
  if (end === text.length) return null
  const ticks = text.slice(start, end)
  let closing = text.indexOf(ticks, end)
  while (closing !== -1 && (lineEnd === -1 || closing < lineEnd)) {
    let behind = closing
    while (text[behind] === '`') behind++
    if (behind === text.length && lineEnd === -1) return null
    if (behind - closing === ticks.length) return behind
    closing = text.indexOf(ticks, behind)
  }
  return lineEnd === -1 ? null : end
}
