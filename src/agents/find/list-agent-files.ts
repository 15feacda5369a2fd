import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { codeOf } from '../../core/checks/thrown.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import type { AgentFolder } from './agent-folders.ts'

const MOST_FILES = 2000
const MOST_ENTRIES = 20_000
const DEEPEST = 8

// Other Markdown files that are kept next to agents: readmes, general instructions, skills, pi's chains.
const NOT_AN_AGENT = /^(?:readme|agents|claude|skill)\.md$|\.chain\.md$/i
const SKIPPED_FOLDER = /^(?:\.|node_modules$|skills$)/

/** The Markdown files below a folder, sorted. */
export function listAgentFiles(folder: AgentFolder, problems: AgentProblem[]): readonly string[] {
  return listFilesBelow(folder, 'agents', (name) => /\.md$/i.test(name) && !NOT_AN_AGENT.test(name), problems)
}

/** The files below a folder whose names match, sorted. Links out of it are refused, and the search is bounded. */
export function listFilesBelow(
  { folder, confinedTo }: AgentFolder,
  what: string,
  isWanted: (name: string) => boolean,
  problems: AgentProblem[],
): readonly string[] {
  const files: string[] = []
  const refuse = (path: string, message: string): void => {
    problems.push(agentProblem(path, {}, message))
  }
  const root = realPathOf(confinedTo)
  if (root === null || !isInside(root, realPathOf(folder))) {
    refuse(folder, `The folder is a link to a place outside the project. Put the ${what} into the project itself.`)
    return []
  }
  const realFolder = realPathOf(folder)!
  let entries = 0
  const walk = (at: string, depth: number): void => {
    for (const entry of entriesOf(at, refuse)) {
      if (++entries > MOST_ENTRIES || files.length >= MOST_FILES) return
      const path = join(at, entry.name)
      if (entry.isSymbolicLink() && isWanted(entry.name)) {
        const target = realPathOf(path)
        if (!isInside(realFolder, target)) {
          refuse(path, `The link is broken or leads out of the folder of ${what}. Put a copy of the file here.`)
          continue
        }
        if (!isFile(path)) continue
      } else if (entry.isDirectory()) {
        if (SKIPPED_FOLDER.test(entry.name)) continue
        if (depth >= DEEPEST) refuse(path, `The folder is more than ${DEEPEST} levels deep. Move its ${what} up.`)
        else walk(path, depth + 1)
        continue
      }
      if (isWanted(entry.name)) files.push(path)
    }
  }
  walk(folder, 1)
  if (entries > MOST_ENTRIES || files.length >= MOST_FILES) {
    refuse(folder, `There are more than ${MOST_FILES} ${what} or ${MOST_ENTRIES} files here; the rest is not read.`)
  }
  return files
}

function entriesOf(folder: string, refuse: (path: string, message: string) => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch (error) {
    const code = codeOf(error)
    refuse(folder, `The folder cannot be read (${code ?? String(error)}). Check its permissions.`)
    return []
  }
}

/** The path with its links resolved; `null` if it doesn't exist. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Whether `path` is `folder` or below it. Both must have their links resolved. */
export function isInside(folder: string, path: string | null): boolean {
  if (path === null) return false
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
