import { InvalidOptionError } from '../../core/index.ts'
import { assertCallerNamed } from '../../governor/edge.ts'
import { idlePlanningLimits } from '../../policy/idle-planning-limits.ts'
import { type LayerInput, resolveLimits } from '../../policy/index.ts'
import { type ResolvedModel, resolveModels } from '../models/index.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import { createFence, type Fence } from '../tools/files/fence.ts'
import { selectTools, type ToolSelection } from '../tools/tool-names.ts'
import { readContextFiles, readFilesIfThere } from './context-files.ts'
import { firstMessage } from './first-message.ts'
import { limitLayers, sharedLimits } from './limit-layers.ts'
import { outputFile } from './output-file.ts'
import type { RunRequest } from './run-request.ts'
import type { RunnerContext } from './runner-context.ts'
import type { SavedRun } from './saved-run.ts'
import { PROJECT_FILES, systemPrompt } from './system-prompt.ts'

/** A run that can begin: everything about it was checked, and nothing was started. */
export interface RunPlan {
  readonly saved: SavedRun
  readonly layers: readonly LayerInput[]
  readonly models: readonly ResolvedModel[]
  readonly first: { readonly role: 'user'; readonly content: string }
  readonly warnings: readonly string[]
}

const LONGEST_TASK = 1024 * 1024

/** Checks a request, and reads once what it will run with: files that change later change nothing. */
export async function planRun(
  context: RunnerContext,
  files: TaskFiles,
  id: string,
  request: RunRequest,
): Promise<RunPlan> {
  const { agent, task, workingFolder } = request
  if (typeof task !== 'string' || task.trim() === '' || task.length > LONGEST_TASK) {
    throw new InvalidOptionError('task', task, `text that says what to do, of at most ${LONGEST_TASK} characters`)
  }
  const layers = limitLayers(request)
  assertCallerNamed({ ...request, sharedLimits: sharedLimits(request) })
  const fence = runFence(context, files, workingFolder)
  const output = outputOf(request)
  const project = readFilesIfThere(fence, agent.inheritProjectContext ? PROJECT_FILES : [])
  const own = readContextFiles(fence, agent.defaultReads, `defaultReads of ${agent.name}`)
  const given = readContextFiles(fence, request.reads ?? [], 'reads', { mustExist: true })
  const tools = toolNames(context, request)
  // What is no tool is found before anything begins.
  const selection = selectTools(tools, agent.disallowedTools, Object.keys(context.mcpServers ?? {}))
  const { models, warnings } = await resolveModels(
    context.models,
    request.model ?? agent.model,
    agent.fallbackModels,
    untrustedNames(request),
  )
  const saved: SavedRun = {
    format: 'stint-run/1',
    id,
    agent,
    task,
    workingFolder,
    system: systemPrompt(agent, workingFolder, project.files),
    models: models.map(({ name }) => name),
    untrustedModels: Object.fromEntries(models.flatMap(({ name, namedBy }) => (namedBy ? [[name, namedBy]] : []))),
    tools,
    output: output === null ? null : outputFile(fence, output),
    words: request.words ?? null,
    description: request.description ?? null,
    wrapUp: request.wrapUp !== false,
    startedAtMs: Date.now(),
  }
  const shown = [...own.files, ...given.files.filter(({ shown }) => !own.files.some((each) => each.shown === shown))]
  const first = firstMessage(task, shown, agent.defaultProgress && canWrite(selection))
  return {
    saved,
    layers,
    models,
    first,
    warnings: [
      ...uncheckedAcceptance(agent),
      ...idlePlanningLimits(resolveLimits(layers).limits),
      ...warnings,
      ...project.warnings,
      ...own.warnings,
      ...given.warnings,
    ],
  }
}

/** What the caller names is the caller's word, whatever file names it too. */
function untrustedNames({ agent, model }: RunRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(agent.untrustedModels ?? {}).filter(([name]) => name !== model))
}

/** The file of another program may ask for it: that nobody looks at the work is said, not kept quiet. */
function uncheckedAcceptance({ name, unknownFields }: RunRequest['agent']): readonly string[] {
  return Object.hasOwn(unknownFields, 'acceptance')
    ? [`acceptance of ${name} is not checked: check the answer yourself.`]
    : []
}

/** Whoever cannot is not asked to keep a file. */
function canWrite({ own }: ToolSelection): boolean {
  return own.has('write') || own.has('edit')
}

/** What the files of a run are confined to, for the runner's own reading and writing. */
export function runFence(context: RunnerContext, files: TaskFiles, workingFolder: string): Fence {
  const { protectedPaths = [], hiddenPaths = [] } = context
  return createFence({ workingFolder, artifactFolder: files.artifacts, protectedPaths, hiddenPaths })
}

function outputOf({ agent, output = agent.output ?? false }: RunRequest): string | null {
  return output === false ? null : output
}

/** The agent's own tools unless the call names others; the servers that it names are among them. */
function toolNames(
  { mcpServers = {}, unusableMcpServers }: RunnerContext,
  { agent, allowedTools }: RunRequest,
): readonly string[] | null {
  const unknown = agent.mcpServers.find((name) => !Object.hasOwn(mcpServers, name))
  if (unknown !== undefined) {
    const reason = unusableMcpServers?.get(unknown)
    const known = Object.keys(mcpServers).join(', ') || 'none is there'
    const form = reason === undefined ? `a server of the config (${known})` : `a server that can be used: ${reason}`
    throw new InvalidOptionError(`mcpServers of ${agent.name}`, unknown, form)
  }
  if (allowedTools !== null && allowedTools !== undefined) return allowedTools
  if (agent.tools === null) return null
  return [...agent.tools, ...agent.mcpServers.map((name) => `mcp:${name}`)]
}
