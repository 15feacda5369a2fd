/** Tools that a project's agent may use without trust: they only read and write in the working folder. */
const SAFE_TOOLS = ['read', 'write', 'edit', 'grep', 'glob', 'budget'] as const

/** Our tools that need trust. */
export const TRUSTED_TOOLS = ['bash'] as const

// Including other programs' names for them.
const SAFE_WORDS: ReadonlySet<string> = new Set([...SAFE_TOOLS, 'multiedit', 'ls', 'list', 'find', 'search'])

/** Whether a tool may be used without trust. Unknown tools may not, including those of later versions. */
export function isSafeTool(written: string): boolean {
  return SAFE_WORDS.has(toolName(written))
}

/** All of our tools that don't need trust. */
export const EVERY_SAFE_TOOL: readonly string[] = SAFE_TOOLS

/** The name of a tool, normalized. */
export function toolName(written: string): string {
  const word = written.trim().toLowerCase()
  return word === 'shell' ? 'bash' : word
}

/** Whether a list of tools means all of them. */
export function meansEveryTool(tools: readonly string[] | null | undefined): boolean {
  return tools === undefined || tools === null || tools.some((each) => ['*', 'all'].includes(toolName(each)))
}
