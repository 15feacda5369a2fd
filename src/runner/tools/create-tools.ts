import type { ToolSet } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'
import { RUN_VARIABLE } from '../../system/processes/run-mark.ts'
import type { DeclaredTool } from './declared-tool.ts'
import { editTool } from './files/edit-tool.ts'
import { createFence } from './files/fence.ts'
import { readTool } from './files/read-tool.ts'
import { writeTool } from './files/write-tool.ts'
import { openServers } from './mcp/open-servers.ts'
import type { McpServer } from './mcp-server.ts'
import { createArtifacts } from './output/artifacts.ts'
import { bashTool } from './processes/bash-tool.ts'
import { openPrograms } from './processes/programs.ts'
import { toolEnvironment } from './processes/tool-environment.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import { selectTools, TOOL_NAMES, type ToolName } from './tool-names.ts'

/** What the tools of a run are made with. */
export interface ToolsOptions {
  readonly workingFolder: string
  /** Where output goes that is too long to show; the agent's own `read` reads there too. */
  readonly artifactFolder: string
  /**
   * Which tools; `null`: all of ours, and all of the MCP servers. Claude Code's and pi's names mean ours; `mcp:SERVER`
   * and `mcp:SERVER/TOOL` name those of a server.
   */
  readonly names: readonly string[] | null
  readonly without?: readonly string[]
  /** What bash and MCP servers get; provider keys are taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What bash gets on top of that. */
  readonly bashEnv?: Readonly<Record<string, string>>
  /** Further variables with keys, which are taken out too. */
  readonly furtherKeys?: readonly string[]
  /** By their names. One is started only if its tools are asked for. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Marks the processes of bash, so that those in sessions of their own are found too. */
  readonly runId: string
  /** Never written, beside what protected-names.ts lists: e.g. where the agent's file was found. */
  readonly protectedPaths?: readonly string[]
  /** Neither read nor written: the ledger's folder. */
  readonly hiddenPaths?: readonly string[]
  /** Aborted: servers that have not started by then are left out. */
  readonly signal?: AbortSignal
  /** Told of what goes wrong while the tools are used and concerns no single call. */
  readonly onWarning?: (message: string) => void
}

/** The tools of one run. */
export interface RunnerTools {
  /** The AI SDK's, for `governed(scope, { tools })`. */
  readonly tools: ToolSet
  /** For `governed(scope, { declare })`. */
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  /** Names that were asked for and that other programs have, but we do not. */
  readonly missing: readonly string[]
  /** What a person should know, e.g. a tool of an MCP server that was left out. */
  readonly warnings: readonly string[]
  /** Ends MCP servers and whatever bash left running. Idempotent, never rejects. */
  close(): Promise<void>
}

/**
 * Makes the tools of a run, starts the MCP servers that are asked for, and ends what an earlier process of the same run
 * left running. Throws `InvalidOptionError` for an unknown tool. What fails later is a warning.
 */
export async function createTools(options: ToolsOptions): Promise<RunnerTools> {
  const { names, without = [], mcpServers = {}, runId } = options
  const selection = selectTools(names, without, Object.keys(mcpServers))
  const fence = createFence({ protectedPaths: [], hiddenPaths: [], ...options })
  const env = toolEnvironment(options.env, options.furtherKeys ?? [])
  const artifacts = createArtifacts(options.artifactFolder)
  const programs = await openPrograms(runId, options.env[RUN_VARIABLE])
  const place = { workingFolder: fence.root.path, env, programs, artifacts }
  const make: Readonly<Record<ToolName, () => DeclaredTool>> = {
    read: () => readTool(fence),
    write: () => writeTool(fence),
    edit: () => editTool(fence),
    grep: () => grepTool(fence, artifacts),
    glob: () => globTool(fence),
    bash: () => bashTool({ ...place, env: { ...env, ...options.bashEnv } }),
  }
  const own = TOOL_NAMES.filter((name) => selection.own.has(name)).map((name) => [name, make[name]()] as const)
  const servers = await openServers(mcpServers, selection, {
    ...place,
    signal: options.signal,
    onWarning: options.onWarning,
  })
  const all: readonly (readonly [string, DeclaredTool])[] = [...own, ...servers.tools]
  let closed: Promise<void> | null = null
  return {
    tools: Object.fromEntries(all.map(([name, { tool }]) => [name, tool])),
    declarations: Object.fromEntries(all.map(([name, { declaration }]) => [name, declaration])),
    missing: selection.missing,
    warnings: [...selection.warnings, ...servers.warnings],
    close() {
      closed ??= servers
        .close()
        .then(() => programs.close())
        .catch(() => {})
      return closed
    },
  }
}
