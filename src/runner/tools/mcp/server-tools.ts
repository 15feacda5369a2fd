import { jsonSchema, tool } from 'ai'
import { messageOf } from '../../../core/checks/thrown.ts'
import type { DeclaredTool } from '../declared-tool.ts'
import type { Artifacts } from '../output/artifacts.ts'
import { boundText } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { ConnectedServer } from './connect-server.ts'
import { mcpToolName } from './mcp-tool-name.ts'
import { plainSchema } from './plain-schema.ts'
import { resultText } from './result-text.ts'

export interface ServerTools {
  readonly tools: ReadonlyMap<string, DeclaredTool>
  readonly warnings: readonly string[]
}

const MOST_TOOLS = 128
const LONGEST_DESCRIPTION = 4_000
const LONGEST_CALL_MS = 600_000

/** The requested tools of a server, each with a plain schema and bounded output. */
export function serverTools(
  server: string,
  { client, definitions }: ConnectedServer,
  isWanted: (tool: string) => boolean,
  artifacts: Artifacts,
): ServerTools {
  const tools = new Map<string, DeclaredTool>()
  const warnings: string[] = []
  const leaveOut = (name: string, reason: string): void =>
    void warnings.push(`The tool ${name} of the MCP server ${server} is skipped: ${reason}.`)
  const made = client.toolsFromDefinitions(definitions)
  for (const definition of definitions.tools.filter(({ name }) => isWanted(name))) {
    const { name, description = '', inputSchema, annotations } = definition
    const known = mcpToolName(server, name)
    const schema = plainSchema(inputSchema)
    const call = made[name]?.execute
    if (schema.kind === 'refused') leaveOut(name, `its schema cannot be simplified, ${schema.reason}`)
    else if (tools.has(known)) leaveOut(name, `another one is also called ${known}`)
    else if (tools.size >= MOST_TOOLS) leaveOut(name, `the server has more than ${MOST_TOOLS}`)
    else if (call !== undefined) {
      tools.set(known, {
        // Without a hint, a tool may change things.
        declaration: { changes: annotations?.readOnlyHint !== true, timeoutMs: LONGEST_CALL_MS },
        tool: tool({
          description: description.slice(0, LONGEST_DESCRIPTION),
          inputSchema: jsonSchema<Record<string, unknown>>(schema.schema),
          async execute(input, options) {
            const answer = await Promise.resolve(call(input, options)).catch((error: unknown) => {
              options.abortSignal?.throwIfAborted()
              throw new ToolFailure(`${known} failed: ${messageOf(error)}`, error)
            })
            const { text, isError } = resultText(answer)
            const shown = boundText(text, known, artifacts)
            if (isError) throw new ToolFailure(shown)
            return shown
          },
        }),
      })
    }
  }
  return { tools, warnings }
}
