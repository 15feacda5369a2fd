import { basename } from 'node:path'
import { assertKnownOptions, optionNames } from '../core/index.ts'
import { type Claim, claimFile, TRUST_NOTHING } from '../trust/index.ts'
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
import { type AgentClaims, createAgentClaims } from './restrain/agent-claims.ts'
import { restrainDraft } from './restrain/restrain-draft.ts'

// Bounds the list only: every name with a problem is still refused.
const MOST_PROBLEMS = 5000

/**
 * Finds every agent: the project's, the user's and the built-in ones, strongest first. Never throws for a bad file:
 * that is a problem, and its name is refused rather than given to a weaker agent. A project may take the name of a
 * user's or a built-in agent only if it is trusted with that.
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
  // Names in the user's config count too: what it gives an agent must not go to a project's agent of that name.
  const overridden = (places.overrides ?? []).flatMap((config) =>
    config.layer === 'user' ? [...config.agents.keys()] : [],
  )
  const ofOthers = folders.filter(({ place }) => place?.source !== 'project').flatMap(namesIn)
  const reservedNames = new Set([...ofOthers, ...overridden])
  for (const { readings, place } of folders) {
    const twice = readTwice(readings)
    // Not `push(...all)`: there may be more than a call's maximum of arguments.
    for (const problem of [...twice.values(), ...readings.map(problemsOf)].flat()) problems.push(problem)
    // Names are taken only after the whole folder: within one folder, no file is stronger than another.
    const here = new Map<string, Agent | readonly AgentProblem[]>(twice)
    const yielding = new Set<string>()
    for (const reading of readings) {
      const claims = place?.source === 'project' ? claimsOf(reading, place, places) : null
      const takesName = reading.name !== null && claims !== null && reservedNames.has(reading.name)
      if (takesName && !mayTake(reading.name!, claims)) yielding.add(reading.name!)
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
      if (isTaken(name) || yielding.has(name)) hidden.push(...(isAgent ? [outcome] : []))
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
    allows: `is called ${name}, like a built-in agent or one of yours`,
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

/** Names that several files of one folder have, with problems that name both files. */
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
    const message = `${first} is also called ${JSON.stringify(name)}. Rename one of them.`
    const problem = agentProblem(origin.file, { line: 1, field: 'name', value: name }, message)
    twice.set(name, [...(twice.get(name) ?? []), problem])
  }
  return twice
}

// `createAgent` and its siblings also take `source`.
const PLACES = optionNames<AgentPlaces & { readonly source?: unknown }>({
  workingFolder: true,
  homeFolder: true,
  overrides: true,
  trust: true,
  source: true,
})

/** Refuses a misspelled option: with `overides`, every override would be ignored. */
export function assertAgentPlaces(call: string, places: AgentPlaces): void {
  assertKnownOptions(call, places, PLACES)
}
