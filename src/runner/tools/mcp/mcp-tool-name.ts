import { createHash } from 'node:crypto'

// The strictest limit of the providers.
const LONGEST = 64
const HASH = 8

/** A name without characters that a provider refuses. */
export function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

/** The model's name for a tool of a server. Collisions are possible, but rare. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${plainName(server)}__${plainName(tool)}`
  if (name.length <= LONGEST) return name
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST - HASH - 1)}_${hash}`
}
