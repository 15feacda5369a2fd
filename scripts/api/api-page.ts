import type { ApiEntry } from './public-api.ts'

const HEAD = `# API

Every export of the package, by entry point. Written by \`npm run api\` from the types: a change of the public API is a
change of this page.
`

/** The public API as a page of the reference. */
export function apiPage(entries: readonly ApiEntry[]): string {
  const sections = entries.map(({ specifier, exports }) => {
    const texts = exports.map(({ text }) => text)
    return `\n## ${specifier}\n\n\`\`\`ts no-run\n${texts.join('\n\n')}\n\`\`\`\n`
  })
  return `${HEAD}${sections.join('')}`
}
