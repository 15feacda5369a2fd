import { createHash } from 'node:crypto'

// The shortest of what the providers take.
const LONGEST = 64
const HASH = 8

/** A name with nothing in it that a provider refuses. */
export function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

/** The name under which a model knows a tool of a server. Different tools may come to the same name, hardly ever. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${plainName(server)}__${plainName(tool)}`
  if (name.length <= LONGEST) return name
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST - HASH - 1)}_${hash}`
}
