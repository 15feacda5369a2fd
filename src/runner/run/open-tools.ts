import type { Scope } from '../../governor/index.ts'
import { makeFolder } from '../../system/index.ts'
import { createDelegates } from '../subagents/create-delegates.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import { createTools } from '../tools/create-tools.ts'
import { selectTools } from '../tools/tool-names.ts'
import type { SavedRun } from './record/saved-run.ts'
import type { RunLog } from './run-log.ts'
import type { RunTools } from './run-tools.ts'
import type { RunnerContext } from './runner.ts'

/** Creates the tools of a run, and warns about missing ones. */
export async function openTools(
  context: RunnerContext,
  files: TaskFiles,
  saved: SavedRun,
  log: RunLog,
  scope: Scope,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<RunTools> {
  const { env, mcpServers = {}, protectedPaths = [], hiddenPaths, furtherKeys, openPlace, taskFolder } = context
  const { agent, id, workingFolder, tools: names } = saved
  // An agent without a tools list gets all of ours, and the MCP servers that it names.
  const isWanted = (name: string): boolean => names !== null || agent.mcpServers.includes(name)
  const servers = Object.fromEntries(Object.entries(mcpServers).filter(([name]) => isWanted(name)))
  try {
    makeFolder(files.artifacts)
  } catch {
    // The log has already warned that the folder cannot be written.
  }
  const selection = selectTools(names, agent.disallowedTools, Object.keys(servers))
  const delegates = createDelegates({ context, saved, log, scope }, selection.delegating)
  const hasBash = selection.own.has('bash')
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
    isNew,
    signal: scope.signal,
    onWarning: (message) => log.warn(message),
    protectedPaths: [...protectedPaths, taskFolder],
    ...(hiddenPaths === undefined ? {} : { hiddenPaths }),
    ...(furtherKeys === undefined ? {} : { furtherKeys }),
    ...(place === null ? {} : { bashEnv: place.env }),
    ...(saved.group?.sharedFolder ? { sharedFolder: saved.group.sharedFolder } : {}),
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  if (tools.missing.length > 0) log.warn(`Unavailable tools: ${tools.missing.join(', ')}. It runs without them.`)
  for (const warning of [...serversLeftOut(context, saved), ...tools.warnings]) log.warn(warning)
  return {
    ...tools,
    tools: { ...tools.tools, ...delegates.tools },
    declarations: { ...tools.declarations, ...delegates.declarations },
    delegates,
    async close() {
      await tools.close()
      await close()
    },
  }
}

/** Warnings for servers that a run asks for and doesn't get. */
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
