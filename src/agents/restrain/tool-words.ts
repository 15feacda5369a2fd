/** What an agent of a project may use without being trusted: it reads and writes in the working folder, and that is all. */
const SAFE_TOOLS = ['read', 'write', 'edit', 'grep', 'glob', 'budget'] as const

/** Our tools that take trust. */
export const TRUSTED_TOOLS = ['bash'] as const

// Other programs' words for them.
const SAFE_WORDS: ReadonlySet<string> = new Set([...SAFE_TOOLS, 'multiedit', 'ls', 'list', 'find', 'search'])

/** Whether a tool may be had without trust. What is not known here may not: also not what a later version brings. */
export function isSafeTool(written: string): boolean {
  return SAFE_WORDS.has(toolWord(written))
}

/** All of ours that may be had without trust. */
export const EVERY_SAFE_TOOL: readonly string[] = SAFE_TOOLS

/** The word of a tool, in one spelling. */
export function toolWord(written: string): string {
  const word = written.trim().toLowerCase()
  return word === 'shell' ? 'bash' : word
}

/** Whether a list of tools means all of them. */
export function meansEveryTool(tools: readonly string[] | null | undefined): boolean {
  return tools === undefined || tools === null || tools.some((each) => ['*', 'all'].includes(toolWord(each)))
}
