import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import type { AgentFolder } from './agent-folders.ts'

const MOST_FILES = 2000
const MOST_ENTRIES = 20_000
const DEEPEST = 8

// Beside agents lie other texts: what they are about, what everybody is told, skills, and pi's chains.
const NO_AGENT = /^(?:readme|agents|claude|skill)\.md$|\.chain\.md$/i
const NO_FOLDER = /^(?:\.|node_modules$|skills$)/

/** The Markdown files below a folder, in order. No link leads out of it, and the search is bounded. */
export function listAgentFiles({ folder, confinedTo }: AgentFolder, problems: AgentProblem[]): readonly string[] {
  const files: string[] = []
  const refuse = (path: string, message: string): void => {
    problems.push(agentProblem(path, {}, message))
  }
  const root = realPathOf(confinedTo)
  if (root === null || !isInside(root, realPathOf(folder))) {
    refuse(folder, 'The folder is a link that leads out of the project. Put the agents into the project itself.')
    return []
  }
  const realFolder = realPathOf(folder)!
  let entries = 0
  const walk = (at: string, depth: number): void => {
    for (const entry of entriesOf(at, refuse)) {
      if (++entries > MOST_ENTRIES || files.length >= MOST_FILES) return
      const path = join(at, entry.name)
      if (entry.isSymbolicLink() && /\.md$/i.test(entry.name)) {
        const target = realPathOf(path)
        if (!isInside(realFolder, target)) {
          refuse(path, 'The link leads out of the folder of agents, or nowhere. Put a copy of the file here.')
          continue
        }
        if (!isFile(path)) continue
      } else if (entry.isDirectory()) {
        if (NO_FOLDER.test(entry.name)) continue
        if (depth >= DEEPEST) refuse(path, `The folder is more than ${DEEPEST} levels deep. Move its agents up.`)
        else walk(path, depth + 1)
        continue
      }
      if (/\.md$/i.test(entry.name) && !NO_AGENT.test(entry.name)) files.push(path)
    }
  }
  walk(folder, 1)
  if (entries > MOST_ENTRIES || files.length >= MOST_FILES) {
    refuse(folder, `There are more than ${MOST_FILES} agents or ${MOST_ENTRIES} files here; the rest is not read.`)
  }
  return files
}

function entriesOf(folder: string, refuse: (path: string, message: string) => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    refuse(folder, `The folder cannot be read (${code ?? String(error)}). Check its permissions.`)
    return []
  }
}

/** The path without links; `null` if it leads nowhere. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Whether `path` is `folder` or below it. Both without links. */
export function isInside(folder: string, path: string | null): boolean {
  if (path === null) return false
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
