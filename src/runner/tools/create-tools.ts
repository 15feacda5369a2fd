import type { ToolSet } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'
import { environmentWithoutKeys } from '../../system/processes/environment-without-keys.ts'
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
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import { selectTools, TOOL_NAMES, type ToolName } from './tool-names.ts'

/** The settings of a run's tools. */
export interface ToolsOptions {
  readonly workingFolder: string
  /** For output that is too long to show; the agent's `read` can read it. */
  readonly artifactFolder: string
  /** Readable and writable in addition to the working folder: shared by the agents of one group. */
  readonly sharedFolder?: string
  /**
   * Which tools; `null`: all of ours, and all of the MCP servers'. Claude Code's and pi's names are accepted too;
   * `mcp:SERVER` and `mcp:SERVER/TOOL` name those of a server.
   */
  readonly names: readonly string[] | null
  readonly without?: readonly string[]
  /** The environment of bash and MCP servers; provider keys are removed. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Additional variables for bash. */
  readonly bashEnv?: Readonly<Record<string, string>>
  /** Further variables with keys, which are removed too. */
  readonly furtherKeys?: readonly string[]
  /** By name. A server is started only if its tools are requested. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Marks the processes of bash, so that detached ones are found too. */
  readonly runId: string
  /** No process has owned the run before: there is nothing of it to end. */
  readonly isNew?: boolean
  /** Never written, in addition to the names in protected-names.ts: e.g. where the agent's file was found. */
  readonly protectedPaths?: readonly string[]
  /** Neither read nor written: the ledger's folder. */
  readonly hiddenPaths?: readonly string[]
  /** When aborted, servers that have not started yet are skipped. */
  readonly signal?: AbortSignal
  /** Called for problems while the tools are used that don't concern a single call. */
  readonly onWarning?: (message: string) => void
}

/** The tools of one run. */
export interface RunnerTools {
  /** The AI SDK's, for `governed(scope, { tools })`. */
  readonly tools: ToolSet
  /** For `governed(scope, { declare })`. */
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  /** Requested tools that other programs have, but we don't. */
  readonly missing: readonly string[]
  /** What the user should know, e.g. that a tool of an MCP server was skipped. */
  readonly warnings: readonly string[]
  /** Ends MCP servers and processes that bash left running. Idempotent, never rejects. */
  close(): Promise<void>
}

/**
 * Creates the tools of a run, starts the requested MCP servers, and ends processes that an earlier process of the run
 * left behind. Throws `InvalidOptionError` for an unknown tool. Later failures are warnings.
 */
export async function createTools(options: ToolsOptions): Promise<RunnerTools> {
  const { names, without = [], mcpServers = {}, runId } = options
  const selection = selectTools(names, without, Object.keys(mcpServers))
  const fence = createFence({ protectedPaths: [], hiddenPaths: [], ...options })
  const env = environmentWithoutKeys(options.env, options.furtherKeys ?? [])
  const artifacts = createArtifacts(options.artifactFolder)
  const programs = await openPrograms(runId, { outerMark: options.env[RUN_VARIABLE], isNew: options.isNew === true })
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
