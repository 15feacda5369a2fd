import { basename } from 'node:path'
import { type Claim, claimFile, TRUST_NOTHING } from '../trust/index.ts'
import type { Agent, AgentPlaces, FoundAgents } from './agent.ts'
import { isAgentName } from './agent-name.ts'
import { assertAgentPlaces } from './agent-places.ts'
import { type AgentProblem, agentProblem } from './agent-problem.ts'
import { readBuiltInAgents } from './built-in/read-built-in-agents.ts'
import { type AgentFolder, agentFolders } from './find/agent-folders.ts'
import { createOverrideReader } from './find/create-override-reader.ts'
import { listAgentFiles } from './find/list-agent-files.ts'
import type { AgentDraft, AgentOrigin, AgentRefusal } from './read/agent-draft.ts'
import { readAgent } from './read/read-agent.ts'
import { readTextFile } from './read/read-text-file.ts'
import { type AgentClaims, createAgentClaims } from './restrain/agent-claims.ts'
import { restrainDraft } from './restrain/restrain-draft.ts'

// A folder of nothing but mistakes is cut off here; each of its names is refused all the same.
const MOST_PROBLEMS = 5000

/**
 * Finds every agent: the project's, the user's and those built in, the strongest first. Never throws for a bad file:
 * that is a problem, and its name is refused rather than given to a weaker agent. A project takes the name of a user's
 * or a built-in agent only where it is trusted with that.
 */
export function findAgents(places: AgentPlaces): FoundAgents {
  assertAgentPlaces('findAgents', places)
  const problems: AgentProblem[] = []
  const agents = new Map<string, Agent>()
  const refused = new Map<string, readonly AgentProblem[]>()
  const hidden: Agent[] = []
  const leftOut: Claim[] = []
  const overrides = createOverrideReader(places, problems)
  const isTaken = (name: string) => agents.has(name) || refused.has(name)
  const folders = readFolders(places, problems)
  // Of the user's config, too: what it gives an agent must not arm a stranger's of that name.
  const overridden = (places.overrides ?? []).flatMap(({ layer, agents: said }) =>
    layer === 'user' ? [...said.keys()] : [],
  )
  const ofOthers = folders.filter(({ place }) => place?.source !== 'project').flatMap(namesIn)
  const namesOfOthers = new Set([...ofOthers, ...overridden])
  for (const { readings, place } of folders) {
    const twice = readTwice(readings)
    // One by one: there may be more than a call has room for.
    for (const problem of [...twice.values(), ...readings.map(problemsOf)].flat()) problems.push(problem)
    // Names are taken only when the folder is through: within one folder nobody is the stronger.
    const here = new Map<string, Agent | readonly AgentProblem[]>(twice)
    const shy = new Set<string>()
    for (const reading of readings) {
      const claims = place?.source === 'project' ? claimsOf(reading, place, places) : null
      const takesName = reading.name !== null && claims !== null && namesOfOthers.has(reading.name)
      if (takesName && !mayTake(reading.name!, claims)) shy.add(reading.name!)
      if (reading.kind === 'refused') {
        if (reading.name !== null) here.set(reading.name, reading.problems)
      } else if (!here.has(reading.name)) {
        const draft = claims === null ? reading : restrainDraft(reading, claims)
        here.set(reading.name, overrides.apply(draft, claims?.leftOut ?? []))
      }
      leftOut.push(...(claims?.leftOut ?? []))
    }
    for (const [name, outcome] of here) {
      const isAgent = 'name' in outcome
      if (isTaken(name) || shy.has(name)) hidden.push(...(isAgent ? [outcome] : []))
      else if (isAgent) agents.set(name, outcome)
      else refused.set(name, outcome)
    }
  }
  const disabled = overrides.takeDisabled(agents)
  problems.push(...overrides.withoutAgent([...agents.keys(), ...refused.keys(), ...disabled.keys()]))
  const unused = [...leftOut, ...overrides.leftOut]
  return { agents, problems: problems.slice(0, MOST_PROBLEMS), refused, disabled, hidden, leftOut: unused }
}

type Reading = AgentDraft | AgentRefusal

interface ReadFolder {
  readonly readings: readonly Reading[]
  /** `null`: built in. */
  readonly place: AgentFolder | null
}

function readFolders(places: AgentPlaces, problems: AgentProblem[]): readonly ReadFolder[] {
  const read = agentFolders(places, problems).map((place) => {
    return { place, readings: listAgentFiles(place, problems).map((file) => readFile(file, place)) }
  })
  return [...read, { place: null, readings: readBuiltInAgents() }]
}

function namesIn({ readings }: ReadFolder): readonly string[] {
  return readings.flatMap(({ name }) => name ?? [])
}

function claimsOf(reading: Reading, { confinedTo }: AgentFolder, places: AgentPlaces): AgentClaims {
  const { file } = reading.origin
  const lineOf = reading.kind === 'draft' ? reading.lineOf : () => 1
  const { trust = TRUST_NOTHING } = places
  return createAgentClaims({ file: claimFile(file, confinedTo), path: [], trust, shownFile: file, lineOf })
}

function mayTake(name: string, claims: AgentClaims): boolean {
  return claims.allows({
    steps: ['name'],
    value: name,
    allows: `is called ${name}, as an agent of yours, of your config or built in`,
  })
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
