import { dirname, join, normalize } from 'node:path'

interface Link {
  readonly line: number
  /** Path from the root of the repository. */
  readonly path: string
  readonly fragment: string
}

/** The relative links and images of a page, outside of its code. */
export function relativeLinksOf(page: string, markdown: string): readonly Link[] {
  const prose = withoutCode(markdown)
  const targets = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)="([^"]+)"|^\[[^\]]+\]:\s*(\S+)/gm)]
  return targets.flatMap((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    if (/^[a-z][a-z+.-]*:/i.test(target)) return []
    const [path = '', fragment = ''] = target.split('#')
    const line = prose.slice(0, match.index).split('\n').length
    return [{ line, path: path === '' ? page : normalize(join(dirname(page), decodeURI(path))), fragment }]
  })
}

/** The names under which the headings of a page can be linked to, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const match of withFencesBlanked(markdown).matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const words = (match[1] ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = words.trim().replaceAll(/\s/g, '-')
    let name = anchor
    for (let count = 1; anchors.has(name); count += 1) name = `${anchor}-${count}`
    anchors.add(name)
  }
  return anchors
}

function withoutCode(markdown: string): string {
  return withFencesBlanked(markdown).replaceAll(/`[^`\n]*`/g, '')
}

/** Lines stay where they are. */
function withFencesBlanked(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```[ \t]*$/gm, (fence) => fence.replaceAll(/[^\n]/g, ''))
}
