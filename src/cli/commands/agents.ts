import {
  type Agent,
  type AgentProblem,
  agentNamed,
  createAgent,
  deleteAgent,
  type FoundAgents,
  findAgents,
  type ManagedPlaces,
  problemText,
  updateAgent,
  type WrittenAgent,
} from '../../agents/index.ts'
import type { Config } from '../../config/config.ts'
import type { ConfigProblem, InvalidConfigError } from '../../config/invalid-config-error.ts'
import { printable } from '../../core/checks/printable.ts'
import { isStintError, StintError } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { commandText } from '../../system/index.ts'
import { isOfFile, TRUST_NOTHING } from '../../trust/index.ts'
import { agentJson, agentSummary, limitsOfAgent } from '../agents/agent-json.ts'
import { agentPlaces, agentsHere } from '../agents/agents-here.ts'
import { type ChangeFlags, changesFromFlags } from '../agents/changes-from-flags.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-code.ts'
import { explanationText } from '../output/explanation-text.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { leftOutLine } from '../trust/left-out.ts'

export interface WhoseFlag {
  readonly user?: boolean
}

const LONGEST_DESCRIPTION = 80
const COLUMNS = [
  'NAME',
  'FROM',
  { heading: 'MODEL', dropOrder: 1 },
  { heading: 'TOOLS', shrinksTo: 12, dropOrder: 2 },
  { heading: 'DESCRIPTION', shrinksTo: 20 },
] as const

/** `stint agents list`. */
export async function listAgents(context: CommandContext): Promise<Report> {
  const { agents, hidden, disabled, problems, leftOut } = agentsHere(context)
  const unused = leftOut.map(({ place, allows }) => ({ place, reason: `It ${allows}.` }))
  const sorted = [...agents.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
  const rows = sorted.map(({ name, source, model, tools, description }) =>
    [name, source, model ?? 'default', tools?.join(', ') ?? 'all', shorten(description)].map(printable),
  )
  return {
    json: {
      agents: sorted.map(agentSummary),
      hidden: hidden.map(agentSummary),
      disabled: [...disabled].map(([name, place]) => ({ name, place })),
      problems,
      leftOut: unused,
    },
    text: formatTable(COLUMNS, rows, context.width),
    notices: [
      ...[...disabled].map(([name, place]) => printable(`${name} is disabled by ${place}.`)),
      ...(problems.length === 0
        ? []
        : [`${countText(problems.length, 'problem')}: \`stint agents validate\` lists them.`]),
      ...[leftOutLine(unused)].flatMap((line) => line ?? []),
    ],
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > LONGEST_DESCRIPTION ? `${line.slice(0, LONGEST_DESCRIPTION - 1)}…` : line
}

/** `stint agents get NAME`. */
export async function getAgent(context: CommandContext, name: string): Promise<Report> {
  const agent = agentNamed(agentsHere(context), name)
  const limits = limitsOfAgent(agent, context.config().layers)
  const facts = factsOf(agent).map(([label, value]) => `${label.padEnd(12)} ${printable(value)}`)
  // Line by line: a prompt may contain control sequences.
  const prompt = agent.prompt.split('\n').map(printable).join('\n')
  return {
    json: agentJson(agent, limits),
    text: [
      context.paint.bold(printable(agent.name)),
      ...facts,
      '',
      explanationText(limits, context.width),
      '',
      prompt === '' ? 'It has no prompt.' : prompt,
    ].join('\n'),
  }
}

function factsOf(agent: Agent): readonly (readonly [string, string])[] {
  const { file, format, preset, tools, disallowedTools, output, defaultReads } = agent
  const list = (label: string, items: readonly string[]) =>
    items.length === 0 ? [] : [[label, items.join(', ')] as const]
  return [
    ...(agent.description === '' ? [] : [['description', shorten(agent.description)] as const]),
    ['from', file === null ? 'built in' : `${file} (${agent.source}, ${format} format)`],
    ['preset', preset ?? 'none'],
    ['model', agent.model ?? 'the default'],
    ...list('fallbacks', agent.fallbackModels),
    ...(agent.thinking === null ? [] : [['thinking', agent.thinking] as const]),
    ['tools', tools === null ? 'all' : tools.length === 0 ? 'none' : tools.join(', ')],
    ...list('not', disallowedTools),
    ...list('MCP servers', agent.mcpServers),
    ...list('reads', defaultReads),
    ...(output === null ? [] : [['output', `${output} (${agent.outputMode})`] as const]),
    ...list('not read', Object.keys(agent.unknownFields)),
    ...list('not trusted', agent.leftOut ?? []),
  ]
}

/** `stint agents create NAME`. */
export async function addAgent(context: CommandContext, name: string, flags: WhoseFlag & ChangeFlags): Promise<Report> {
  const changes = await changesFromFlags(context.platform, flags)
  const made = createAgent(managed(context, flags), name, changes)
  const next = `To change its prompt, edit that file. To see it: ${commandText('stint', ['agents', 'get', name])}`
  return written('Created', made, [...(await trustOwnFile(context, made.file, flags)), printable(next)])
}

/** `stint agents update NAME`. */
export async function changeAgent(
  context: CommandContext,
  name: string,
  flags: WhoseFlag & ChangeFlags,
): Promise<Report> {
  const changes = await changesFromFlags(context.platform, flags)
  const before = agentsHere(context)
  refuseUnused(before, name, flags)
  const changed = updateAgent(managed(context, flags), name, changes)
  const wasTrusted = isWhollyTrusted(before, name, changed.file)
  return written('Changed', changed, wasTrusted ? await trustOwnFile(context, changed.file, flags) : [])
}

/** `stint agents delete NAME`. */
export async function removeAgent(context: CommandContext, name: string, flags: WhoseFlag): Promise<Report> {
  const { file } = deleteAgent(managed(context, flags), name)
  return { json: { name, file, deleted: true }, text: printable(`Deleted ${file}.`) }
}

function managed(context: CommandContext, { user }: WhoseFlag): ManagedPlaces {
  return { ...agentPlaces(context), source: user === true ? 'user' : 'project' }
}

function written(what: string, { agent, file }: WrittenAgent, notices: readonly string[]): Report {
  return { json: { file, agent: agentSummary(agent) }, text: printable(`${what} ${file}.`), notices }
}

/** Changing your own agent does not mean that you have read a project's agent of the same name. */
function isWhollyTrusted({ agents, leftOut }: FoundAgents, name: string, file: string): boolean {
  return agents.get(name)?.file === file && !leftOut.some((claim) => isOfFile(claim, file))
}

/** Changing an agent means the one that you run, not an untrusted file of the same name. */
function refuseUnused({ agents }: FoundAgents, name: string, { user }: WhoseFlag): void {
  const used = agents.get(name)
  if (user === true || used === undefined || used.source !== 'user') return
  const message = `The agent ${JSON.stringify(name)} used here is your own (${used.file}). To change it, pass --user.`
  throw new StintError('agent_not_editable', message)
}

/** What a user creates outside a run is trusted. */
async function trustOwnFile(context: CommandContext, file: string, { user }: WhoseFlag): Promise<readonly string[]> {
  if (user === true) return []
  const { trustAgentFile } = await import('../trust/trust-agent-file.ts')
  return trustAgentFile(context, file)
}

/** `stint agents validate`. */
export async function validateAgents(context: CommandContext): Promise<Report> {
  const { agents, problems } = readEverything(context)
  const isWell = problems.length === 0
  const verdict = isWell
    ? `${countText(agents.length, 'agent')}, no problems.`
    : `${countText(problems.length, 'problem')}.`
  return {
    json: { ok: isWell, agents, problems },
    text: [...problems.map(problemText), ...(isWell ? [] : ['']), verdict].join('\n'),
    exitCode: isWell ? EXIT.done : EXIT.notWell,
  }
}

/** The agents and every problem, even if the config cannot be read. */
function readEverything(context: CommandContext): {
  readonly agents: readonly string[]
  readonly problems: readonly AgentProblem[]
} {
  const { workingFolder, homeFolder } = context.platform
  const [{ agents: overrides, trust }, ofConfig] = readConfig(context)
  const { agents, problems } = findAgents({ workingFolder, homeFolder, overrides, trust })
  return { agents: [...agents.keys()].sort(), problems: [...ofConfig, ...problems] }
}

type Believed = Pick<Config, 'agents' | 'trust'>

function readConfig(context: CommandContext): readonly [Believed, readonly AgentProblem[]] {
  try {
    return [context.config(), []]
  } catch (error) {
    if (!isStintError<InvalidConfigError>(error, 'invalid_config')) throw error
    const { problems } = error
    return [{ agents: [], trust: TRUST_NOTHING }, problems.map(problemOfConfig)]
  }
}

// A place reads `agents.developer.model in stint.config.yaml:4`.
function problemOfConfig({ place, message }: ConfigProblem): AgentProblem {
  const [, field = null, file = place, line] = /^(?:(.*?) in )?(.*?)(?::(\d+))?$/s.exec(place) ?? []
  return { file, line: line === undefined ? null : Number(line), field, value: null, message }
}
