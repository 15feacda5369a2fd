import { messageOf } from '../../../core/checks/thrown.ts'
import type { DeclaredTool } from '../declared-tool.ts'
import type { McpServer } from '../mcp-server.ts'
import type { Artifacts } from '../output/artifacts.ts'
import type { ToolSelection } from '../tool-names.ts'
import { connectServer, type ServerPlace } from './connect-server.ts'
import { plainName } from './mcp-tool-name.ts'
import { serverTools } from './server-tools.ts'

export interface OpenServers {
  readonly tools: readonly (readonly [string, DeclaredTool])[]
  readonly warnings: readonly string[]
  /** Never rejects. */
  close(): Promise<void>
}

/** Starts the servers whose tools are requested, in parallel. One that doesn't start is a warning. */
export async function openServers(
  servers: Readonly<Record<string, McpServer>>,
  selection: ToolSelection,
  place: Omit<ServerPlace, 'onStray'> & {
    readonly artifacts: Artifacts
    /** Called once per server for problems while it is used. */
    readonly onWarning?: ((message: string) => void) | undefined
  },
): Promise<OpenServers> {
  const wanted = Object.entries(servers).filter(([name]) => selection.isServerWanted(name))
  const opened = await Promise.all(
    wanted.map(async ([name, server]) => {
      try {
        return { name, connected: await connectServer(server, { ...place, onStray: onceStray(name, place.onWarning) }) }
      } catch (error) {
        return { name, failure: `The MCP server ${name} cannot be used: ${messageOf(error)}` }
      }
    }),
  )
  const tools = new Map<string, DeclaredTool>()
  const warnings: string[] = []
  for (const { name, connected, failure } of opened) {
    if (connected === undefined) {
      warnings.push(failure)
      continue
    }
    const isWanted = (tool: string): boolean => selection.isServerToolWanted(name, tool)
    const offered = new Set(connected.definitions.tools.map((tool) => plainName(tool.name)))
    const absent = selection.toolsNamedOf(name).filter((tool) => !offered.has(plainName(tool)))
    warnings.push(...absent.map((tool) => `The MCP server ${name} has no tool ${tool}.`))
    const found = serverTools(name, connected, isWanted, place.artifacts)
    warnings.push(...found.warnings)
    for (const [key, tool] of found.tools) {
      if (tools.has(key)) warnings.push(`Two MCP servers have a tool ${key}: that of ${name} is skipped.`)
      else tools.set(key, tool)
    }
  }
  return {
    tools: [...tools],
    warnings,
    async close() {
      await Promise.all(opened.map(({ connected }) => connected?.close()))
    },
  }
}

/** Warns once per server, not for every such answer. */
function onceStray(server: string, onWarning: ((message: string) => void) | undefined): () => void {
  let hasWarned = false
  return () => {
    if (hasWarned) return
    hasWarned = true
    onWarning?.(
      `The MCP server ${server} sent an unexpected answer: late, duplicate, or not requested. It was ignored.`,
    )
  }
}
