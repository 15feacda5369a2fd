import { type Acceptance, type Agent, agentNamed } from '../../agents/index.ts'
import { InvalidOptionError, isPlainObject } from '../../core/index.ts'
import { assertCallerNamed } from '../../governor/edge.ts'
import { type JsonSchema, type LayerInput, resolveLimits } from '../../policy/index.ts'
import { idlePlanningLimits } from '../../policy/layers/idle-planning-limits.ts'
import { resolveAcceptance } from '../acceptance/resolve-acceptance.ts'
import { type ResolvedModel, resolveModels } from '../models/index.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import { createFence, type Fence } from '../tools/files/fence.ts'
import { selectTools, type ToolSelection } from '../tools/tool-names.ts'
import { outputFile } from './end/output-file.ts'
import { schemaProblem } from './end/structured-answer.ts'
import { limitLayers, sharedLimits, thresholdOf } from './limit-layers.ts'
import { readContextFiles, readFilesIfThere } from './prompt/context-files.ts'
import { firstMessage } from './prompt/first-message.ts'
import { PROJECT_FILES, systemPrompt } from './prompt/system-prompt.ts'
import type { SavedRun } from './record/saved-run.ts'
import type { ChildRequest, RunRequest } from './run-request.ts'
import type { RunnerContext } from './runner.ts'

/** A checked run that has not been started. */
export interface PreparedRun {
  readonly saved: SavedRun
  readonly layers: readonly LayerInput[]
  readonly models: readonly [ResolvedModel, ...ResolvedModel[]]
  /** The messages that its conversation begins with. */
  readonly before: readonly unknown[]
  readonly first: { readonly role: 'user'; readonly content: string }
  /** The number of our tools that it has. */
  readonly toolCount: number
  readonly warnings: readonly string[]
}

const LONGEST_TASK = 1024 * 1024

/** Checks a request and reads everything it needs, so that later changes to files have no effect. */
export async function prepareRun(
  context: RunnerContext,
  files: TaskFiles,
  id: string,
  request: ChildRequest,
): Promise<PreparedRun> {
  const { agent, task, workingFolder, outputSchema = null, group } = request
  if (typeof task !== 'string' || task.trim() === '' || task.length > LONGEST_TASK) {
    throw new InvalidOptionError('task', task, `text that says what to do, of at most ${LONGEST_TASK} characters`)
  }
  const before = conversationOf(request)
  refuseSchema(outputSchema)
  const acceptance = resolveAcceptance(request)
  const reviewer = reviewerOf(context, workingFolder, acceptance)
  const layers = limitLayers(request)
  assertCallerNamed({ ...request, sharedLimits: sharedLimits(request) })
  const fence = runFence(context, files, workingFolder)
  const output = outputOf(request)
  const project = readFilesIfThere(fence, agent.inheritProjectContext ? PROJECT_FILES : [])
  const own = readContextFiles(fence, agent.defaultReads, `defaultReads of ${agent.name}`)
  const given = readContextFiles(fence, request.reads ?? [], 'reads', { mustExist: true })
  const tools = toolNames(context, request)
  // Throws for unknown tools before anything starts.
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
    askAboveCost: thresholdOf(request).cost,
    outputSchema,
    acceptance,
    reviewer,
    group: group === undefined ? null : { id: group.id, sharedFolder: group.sharedFolder },
    handedOver: before.length,
    startedAtMs: Date.now(),
  }
  const shown = [...own.files, ...given.files.filter(({ shown }) => !own.files.some((each) => each.shown === shown))]
  const first = firstMessage(task, shown, agent.defaultProgress && canWrite(selection), outputSchema, acceptance)
  return {
    saved,
    layers,
    models,
    before,
    first,
    toolCount: selection.own.size,
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

/** Only messages are passed on: the parent's system prompt is not for the child. */
function conversationOf({ conversation = [] }: RunRequest): readonly unknown[] {
  const isMessage = (each: unknown): boolean => isPlainObject(each) && ROLES.includes(each.role)
  if (Array.isArray(conversation) && conversation.every(isMessage)) {
    return conversation.filter(({ role }) => role !== 'system')
  }
  throw new InvalidOptionError(
    'conversation',
    conversation,
    'a list of messages, e.g. [{ role: "user", content: "…" }]',
  )
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool']

function refuseSchema(schema: JsonSchema | null): void {
  if (schema === null) return
  const problem = isPlainObject(schema) ? schemaProblem(schema) : 'It is not an object'
  if (problem !== null)
    throw new InvalidOptionError('outputSchema', schema, `a JSON Schema that can be checked (${problem})`)
}

/** Read now, so that the agent cannot change its reviewer by editing files. */
function reviewerOf(context: RunnerContext, workingFolder: string, acceptance: Acceptance | null): Agent | null {
  const name = acceptance?.review?.agent
  return name === undefined ? null : agentNamed(context.findAgents(workingFolder), name)
}

/** A model that the caller names is trusted, even if an untrusted file names it too. */
function untrustedNames({ agent, model }: RunRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(agent.untrustedModels ?? {}).filter(([name]) => name !== model))
}

/** Another program's agent file may ask for acceptance checks, which we don't do: warn about it. */
function uncheckedAcceptance({ name, unknownFields }: RunRequest['agent']): readonly string[] {
  return Object.hasOwn(unknownFields, 'acceptance')
    ? [`acceptance of ${name} is not checked: check the answer yourself.`]
    : []
}

/** An agent that cannot write is not asked to keep a progress file. */
function canWrite({ own }: ToolSelection): boolean {
  return own.has('write') || own.has('edit')
}

/** The fence for files that the runner itself reads and writes. */
export function runFence(context: RunnerContext, files: TaskFiles, workingFolder: string): Fence {
  const { protectedPaths = [], hiddenPaths = [] } = context
  return createFence({ workingFolder, artifactFolder: files.artifacts, protectedPaths, hiddenPaths })
}

function outputOf({ agent, output = agent.output ?? false }: RunRequest): string | null {
  return output === false ? null : output
}

/** The call's tools, else the agent's own, including the servers that it names. */
function toolNames(
  { mcpServers = {}, unusableMcpServers }: RunnerContext,
  { agent, allowedTools }: RunRequest,
): readonly string[] | null {
  const unknown = agent.mcpServers.find((name) => !Object.hasOwn(mcpServers, name))
  if (unknown !== undefined) {
    const reason = unusableMcpServers?.get(unknown)
    const known = Object.keys(mcpServers).join(', ') || 'it has none'
    const form = reason === undefined ? `a server in the config (${known})` : `a server that can be used: ${reason}`
    throw new InvalidOptionError(`mcpServers of ${agent.name}`, unknown, form)
  }
  if (allowedTools !== null && allowedTools !== undefined) return allowedTools
  if (agent.tools === null) return null
  return [...agent.tools, ...agent.mcpServers.map((name) => `mcp:${name}`)]
}
