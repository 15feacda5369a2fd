import type { Scope } from '../../governor/index.ts'
import { makeFolder } from '../../system/index.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import { createTools, type RunnerTools } from '../tools/create-tools.ts'
import { selectTools } from '../tools/tool-names.ts'
import type { RunDesk } from './run-desk.ts'
import type { RunnerContext } from './runner-context.ts'
import type { SavedRun } from './saved-run.ts'

/** Makes the tools of a run, and says what of them is not there. */
export async function openTools(
  context: RunnerContext,
  files: TaskFiles,
  saved: SavedRun,
  desk: RunDesk,
  scope: Scope,
): Promise<RunnerTools> {
  const { env, mcpServers = {}, protectedPaths = [], hiddenPaths, furtherKeys, openPlace, taskFolder } = context
  const { agent, id, workingFolder, tools: names } = saved
  // Whoever says nothing of tools has all of ours, and of the servers those that the agent names.
  const isWanted = (name: string): boolean => names !== null || agent.mcpServers.includes(name)
  const servers = Object.fromEntries(Object.entries(mcpServers).filter(([name]) => isWanted(name)))
  try {
    makeFolder(files.artifacts)
  } catch {
    // The desk has said that the folder cannot be written.
  }
  const hasBash = selectTools(names, agent.disallowedTools, Object.keys(servers)).own.has('bash')
  const place = hasBash && openPlace !== undefined ? await openPlace(scope) : null
  const close = async (): Promise<void> => place?.close().catch(() => {})
  const tools = await createTools({
    workingFolder,
    artifactFolder: files.artifacts,
    names,
    without: agent.disallowedTools,
    env,
    mcpServers: servers,
    runId: id,
    signal: scope.signal,
    onWarning: (message) => desk.warn(message),
    protectedPaths: [...protectedPaths, taskFolder],
    ...(hiddenPaths === undefined ? {} : { hiddenPaths }),
    ...(furtherKeys === undefined ? {} : { furtherKeys }),
    ...(place === null ? {} : { bashEnv: place.env }),
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  if (tools.missing.length > 0)
    desk.warn(`Tools that are not there: ${tools.missing.join(', ')}. It runs without them.`)
  for (const warning of [...serversLeftOut(context, saved), ...tools.warnings]) desk.warn(warning)
  return {
    ...tools,
    async close() {
      await tools.close()
      await close()
    },
  }
}

/** Servers that a run asks for and does not get. Those that its agent names were there when it began. */
function serversLeftOut(context: RunnerContext, { agent, tools: names }: SavedRun): readonly string[] {
  const { mcpServers = {}, unusableMcpServers = new Map<string, string>() } = context
  const isAskedFor = (server: string): boolean =>
    agent.mcpServers.includes(server) || (names ?? []).some((name) => isOfServer(name.trim(), server))
  const unusable = [...unusableMcpServers].filter(([server]) => isAskedFor(server))
  const gone = agent.mcpServers.filter((name) => !Object.hasOwn(mcpServers, name) && !unusableMcpServers.has(name))
  return [
    ...unusable.map(([server, reason]) => `The MCP server ${server} cannot be used: ${reason}.`),
    ...gone.map((server) => `The MCP server ${server} is no longer in the config. It runs without it.`),
  ]
}

function isOfServer(tool: string, server: string): boolean {
  const whole = [`mcp:${server}`, `mcp__${server}`]
  return whole.includes(tool) || tool.startsWith(`mcp:${server}/`) || tool.startsWith(`mcp__${server}__`)
}
