import { basename } from 'node:path'
import { type AgentProblem, agentProblem } from '../../../agents/agent-problem.ts'
import { type AgentFolder, type FolderPlace, foldersAt } from '../../../agents/find/agent-folders.ts'
import { listFilesBelow } from '../../../agents/find/list-agent-files.ts'
import { type AgentClaims, createAgentClaims } from '../../../agents/restrain/agent-claims.ts'
import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import { type Claim, claimFile, TRUST_NOTHING, type Trust } from '../../../trust/index.ts'
import type { Chain } from './chain.ts'
import { InvalidChainError } from './invalid-chain-error.ts'
import type { ChainReading } from './read-chain.ts'
import { CHAIN_FILE, type FileReading, readChainFile } from './read-chain-file.ts'
import { restrainChain } from './restrain-chain.ts'
import { UnknownChainError } from './unknown-chain-error.ts'

/** Where to look for chains. */
export interface ChainPlaces {
  readonly workingFolder: string
  readonly homeFolder: string
  /** The trust in the project's files. Default: none, so that they can only tighten. */
  readonly trust?: Trust
}

/** Every chain that can run, and the problems of those that cannot. */
export interface FoundChains {
  readonly chains: ReadonlyMap<string, Chain>
  readonly problems: readonly AgentProblem[]
  /** Names that must not run, even if there is a weaker chain of that name, with their problems. */
  readonly refused: ReadonlyMap<string, readonly AgentProblem[]>
  /** Chains that are hidden by a stronger one of the same name. */
  readonly hidden: readonly Chain[]
  /** Claims of the project's files that are ignored because they are not trusted. */
  readonly leftOut: readonly Claim[]
}

const OPTIONS = optionNames<ChainPlaces>({ workingFolder: true, homeFolder: true, trust: true })

/** Where chains are looked for, strongest first. Includes the folders of agents, where pi keeps them. */
const PLACES: readonly FolderPlace[] = [
  { project: '.stint/chains', user: '.stint/chains', format: 'stint' },
  { project: '.stint/agents', user: '.stint/agents', format: 'stint' },
  { project: '.pi/chains', user: '.pi/agent/chains', format: 'pi' },
  { project: '.pi/agents', user: '.pi/agent/agents', format: 'pi' },
]
const MOST_PROBLEMS = 1000

/**
 * Finds every chain: the project's and the user's, strongest first. Never throws for a bad file: that is a problem, and
 * its name is refused rather than given to a weaker chain. A project may take the name of a user's chain only if it is
 * trusted with that.
 */
export function findChains(places: ChainPlaces): FoundChains {
  assertKnownOptions('findChains', places, OPTIONS)
  const problems: AgentProblem[] = []
  const chains = new Map<string, Chain>()
  const refused = new Map<string, readonly AgentProblem[]>()
  const hidden: Chain[] = []
  const leftOut: Claim[] = []
  const folders = foldersAt(PLACES, places, problems).map((place) => readFolder(place, problems))
  const namesOfUser = new Set(folders.filter(({ place }) => place.source === 'user').flatMap(namesIn))
  for (const { place, files } of folders) {
    const twice = namedTwice(files)
    for (const { file, reading } of files) {
      const name = nameOf(reading)
      const wrong = reading.kind === 'refused' ? reading.problems : (twice.get(file) ?? null)
      if (wrong !== null) problems.push(...wrong)
      const claims = place.source === 'project' ? claimsOf(file, reading, place, places) : null
      const isShy = name !== null && claims !== null && namesOfUser.has(name) && !mayTake(name, claims)
      const isTaken = name === null || isShy || chains.has(name) || refused.has(name)
      if (reading.kind === 'chain' && wrong === null) {
        const chain = claims === null ? reading.chain : restrainChain(reading.chain, claims)
        if (isTaken) hidden.push(chain)
        else chains.set(chain.name, chain)
      } else if (!isTaken) refused.set(name, wrong ?? [])
      leftOut.push(...(claims?.leftOut ?? []))
    }
  }
  return { chains, problems: problems.slice(0, MOST_PROBLEMS), refused, hidden, leftOut }
}

/** The chain of this name. Throws `InvalidChainError`, or `UnknownChainError` with a suggestion. */
export function chainNamed({ chains, refused }: FoundChains, name: string): Chain {
  const chain = chains.get(name)
  if (chain !== undefined) return chain
  const problems = refused.get(name)
  if (problems !== undefined) throw new InvalidChainError(name, problems)
  throw new UnknownChainError(name, [...chains.keys(), ...refused.keys()].sort())
}

/** The chain in a file that the user named, which is trusted. Throws `InvalidChainError`. */
export function chainInFile(file: string): Chain {
  const reading = readChainFile(file, 'call')
  if (reading.kind === 'chain') return reading.chain
  throw new InvalidChainError(basename(file), reading.problems)
}

interface ReadFile {
  readonly file: string
  readonly reading: FileReading
}

interface ReadFolder {
  readonly place: AgentFolder
  readonly files: readonly ReadFile[]
}

function readFolder(place: AgentFolder, problems: AgentProblem[]): ReadFolder {
  const files = listFilesBelow(place, 'chains', (name) => CHAIN_FILE.test(name), problems)
  return { place, files: files.map((file) => ({ file, reading: readChainFile(file, place.source) })) }
}

function namesIn({ files }: ReadFolder): readonly string[] {
  return files.flatMap(({ reading }) => nameOf(reading) ?? [])
}

function nameOf(reading: ChainReading): string | null {
  return reading.kind === 'chain' ? reading.chain.name : reading.name
}

/** Within one folder, no file is stronger than another: all with the same name are refused. */
function namedTwice(files: readonly ReadFile[]): ReadonlyMap<string, readonly AgentProblem[]> {
  const fileByName = new Map<string, string>()
  const twice = new Map<string, readonly AgentProblem[]>()
  const refuse = (file: string, other: string, name: string): void => {
    const message = `${other} is also called ${JSON.stringify(name)}. Rename one of them.`
    twice.set(file, [agentProblem(file, { line: 1, field: 'name', value: name }, message)])
  }
  for (const { file, reading } of files) {
    const name = reading.kind === 'chain' ? reading.chain.name : null
    if (name === null) continue
    const first = fileByName.get(name)
    if (first === undefined) {
      fileByName.set(name, file)
      continue
    }
    refuse(first, file, name)
    refuse(file, first, name)
  }
  return twice
}

function claimsOf(
  file: string,
  { lineOf }: FileReading,
  { confinedTo }: AgentFolder,
  { trust = TRUST_NOTHING }: ChainPlaces,
): AgentClaims {
  return createAgentClaims({ file: claimFile(file, confinedTo), path: [], trust, shownFile: file, lineOf })
}

function mayTake(name: string, claims: AgentClaims): boolean {
  return claims.allows({ steps: ['name'], value: name, allows: `is called ${name}, like one of your chains` })
}
