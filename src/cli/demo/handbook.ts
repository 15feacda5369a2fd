/** The number of pages in the handbook that the demo's agents read, all of about the same length. */
export const PAGES = 72

const TOPICS = ['orders', 'refunds', 'shipping', 'accounts', 'invoices', 'returns', 'support', 'security'] as const

/** What a page is about. */
export function topicOf(page: number): string {
  return TOPICS[(page - 1) % TOPICS.length]!
}

export function pageFile(page: number): string {
  return `handbook/page-${String(page).padStart(2, '0')}.md`
}

/** A page of about 2,000 tokens. */
export function pageText(page: number): string {
  const topic = topicOf(page)
  const paragraph =
    `This part of the handbook is about ${topic}. The person who handles ${topic} writes down what was asked, what was ` +
    `answered and who decided. A case that is not decided within a day goes to the person on duty.\n\n`
  return `# Page ${page}: ${topic}\n\n${paragraph.repeat(36)}`
}

/** The agent of the demo, as its file says it. */
export const AGENT_FILE = `---
name: reader
description: Reads the handbook and says what is in it.
tools: read
---

You read the handbook, page by page, and report what it says.
`
