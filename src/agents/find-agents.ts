import { basename } from 'node:path'
import type { Agent, AgentPlaces, FoundAgents } from './agent.ts'
import { isAgentName } from './agent-name.ts'
import { type AgentProblem, agentProblem } from './agent-problem.ts'
import { readBuiltInAgents } from './built-in/read-built-in-agents.ts'
import { type AgentFolder, agentFolders } from './find/agent-folders.ts'
import { createOverrideReader } from './find/create-override-reader.ts'
import { listAgentFiles } from './find/list-agent-files.ts'
import type { AgentDraft, AgentOrigin, AgentRefusal } from './read/agent-draft.ts'
import { readAgent } from './read/read-agent.ts'
import { readTextFile } from './read/read-text-file.ts'

// A folder of nothing but mistakes is cut off here; each of its names is refused all the same.
const MOST_PROBLEMS = 5000

/**
 * Finds every agent: the project's, the user's and those built in, the strongest first. Never throws for a bad file:
 * that is a problem, and its name is refused rather than given to a weaker agent.
 */
export function findAgents(places: AgentPlaces): FoundAgents {
  const problems: AgentProblem[] = []
  const agents = new Map<string, Agent>()
  const refused = new Map<string, readonly AgentProblem[]>()
  const hidden: Agent[] = []
  const overrides = createOverrideReader(places, problems)
  const isTaken = (name: string) => agents.has(name) || refused.has(name)
  for (const readings of readingsByFolder(places, problems)) {
    const twice = readTwice(readings)
    // One by one: there may be more than a call has room for.
    for (const problem of [...twice.values(), ...readings.map(problemsOf)].flat()) problems.push(problem)
    // Names are taken only when the folder is through: within one folder nobody is the stronger.
    const here = new Map<string, Agent | readonly AgentProblem[]>(twice)
    for (const reading of readings) {
      if (reading.kind === 'refused') {
        if (reading.name !== null) here.set(reading.name, reading.problems)
      } else if (!here.has(reading.name)) here.set(reading.name, overrides.apply(reading))
    }
    for (const [name, outcome] of here) {
      const isAgent = 'name' in outcome
      if (isTaken(name)) hidden.push(...(isAgent ? [outcome] : []))
      else if (isAgent) agents.set(name, outcome)
      else refused.set(name, outcome)
    }
  }
  const disabled = overrides.takeDisabled(agents)
  problems.push(...overrides.withoutAgent([...agents.keys(), ...refused.keys(), ...disabled.keys()]))
  return { agents, problems: problems.slice(0, MOST_PROBLEMS), refused, disabled, hidden }
}

type Reading = AgentDraft | AgentRefusal

function readingsByFolder(places: AgentPlaces, problems: AgentProblem[]): readonly (readonly Reading[])[] {
  const folders = agentFolders(places, problems)
  const read = folders.map((folder) => listAgentFiles(folder, problems).map((file) => readFile(file, folder)))
  return [...read, readBuiltInAgents()]
}

function readFile(file: string, { source, format }: AgentFolder): Reading {
  const origin: AgentOrigin = { source, format, file, nameOfFile: basename(file).replace(/\.md$/i, '') }
  const reading = readTextFile(file)
  if (reading.kind === 'text') return readAgent(reading.text, origin)
  const problems = [agentProblem(file, { line: reading.line }, reading.message)]
  return { kind: 'refused', origin, name: isAgentName(origin.nameOfFile) ? origin.nameOfFile : null, problems }
}

function problemsOf(reading: Reading): readonly AgentProblem[] {
  return reading.kind === 'refused' ? reading.problems : []
}

/** Names that several files of one folder have, each with a problem that tells of both. */
function readTwice(readings: readonly Reading[]): ReadonlyMap<string, readonly AgentProblem[]> {
  const fileByName = new Map<string, string>()
  const twice = new Map<string, readonly AgentProblem[]>()
  for (const reading of readings) {
    if (reading.kind === 'refused') continue
    const { name, origin } = reading
    const first = fileByName.get(name)
    if (first === undefined) {
      fileByName.set(name, origin.file)
      continue
    }
    const message = `${first} is called ${JSON.stringify(name)} too. Give one of them another name.`
    const problem = agentProblem(origin.file, { line: 1, field: 'name', value: name }, message)
    twice.set(name, [...(twice.get(name) ?? []), problem])
  }
  return twice
}
