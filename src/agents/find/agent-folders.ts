import { lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AgentFormat } from '../../policy/index.ts'
import type { AgentPlaces } from '../agent.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import { isTrustedOwner } from './is-trusted-owner.ts'

/** A folder whose Markdown files are agents. */
export interface AgentFolder {
  readonly source: 'project' | 'user'
  readonly format: AgentFormat
  readonly folder: string
  /** No link in it may lead out of this. A user's own folder may itself be a link: many keep them elsewhere. */
  readonly confinedTo: string
}

/** Where a folder is looked for, below a project and below the user's home. */
export interface FolderPlace {
  readonly project: string
  readonly user: string
  readonly format: AgentFormat
}

/** Where agents are looked for, strongest first. */
const PLACES: readonly FolderPlace[] = [
  { project: '.stint/agents', user: '.stint/agents', format: 'stint' },
  { project: '.claude/agents', user: '.claude/agents', format: 'claude-code' },
  { project: '.pi/agents', user: '.pi/agent/agents', format: 'pi' },
  { project: '.agents', user: '.agents', format: 'pi' },
]

// Deeper than any real folder.
const MOST_FOLDERS = 256

/**
 * The existing folders, strongest first: the project's, each in the working folder or the nearest folder above that
 * has it, then the user's. The home folder is never a project.
 */
export function agentFolders(places: AgentPlaces, problems: AgentProblem[]): readonly AgentFolder[] {
  return foldersAt(PLACES, places, problems)
}

/** The same for other kinds of files. */
export function foldersAt(
  wanted: readonly FolderPlace[],
  places: Pick<AgentPlaces, 'workingFolder' | 'homeFolder'>,
  problems: AgentProblem[],
): readonly AgentFolder[] {
  const home = resolve(places.homeFolder)
  const project = wanted.flatMap(({ project: path, format }): AgentFolder[] => {
    const above = folderAbove(resolve(places.workingFolder), home, path, problems)
    return above === null ? [] : [{ source: 'project', format, folder: join(above, path), confinedTo: above }]
  })
  const user = wanted.flatMap(({ user: path, format }): AgentFolder[] => {
    const folder = join(home, path)
    return isFolder(folder) ? [{ source: 'user', format, folder, confinedTo: folder }] : []
  })
  return [...project, ...user]
}

/** Where `.stint/agents` is written: the folder that it is read from, or else the working folder. */
export function ownFolder(places: AgentPlaces, source: 'project' | 'user'): AgentFolder {
  const { project: path } = PLACES[0]!
  if (source === 'user') {
    const folder = join(resolve(places.homeFolder), path)
    return { source, format: 'stint', folder, confinedTo: folder }
  }
  const working = resolve(places.workingFolder)
  const above = folderAbove(working, resolve(places.homeFolder), path, []) ?? working
  return { source, format: 'stint', folder: join(above, path), confinedTo: above }
}

function folderAbove(working: string, home: string, path: string, problems: AgentProblem[]): string | null {
  let folder = working
  for (let step = 0; step < MOST_FOLDERS && folder !== home; step++) {
    const agents = join(folder, path)
    if (isFolder(agents)) {
      if (folder === working || isTrustedOwner(lstatSync(agents).uid, statSync(working).uid, process.getuid?.()))
        return folder
      const message = 'The folder belongs to another user, so nothing in it is read.'
      problems.push(agentProblem(agents, {}, message))
      return null
    }
    const above = dirname(folder)
    if (above === folder) return null
    folder = above
  }
  return null
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // An unreadable folder above is not a project.
    return false
  }
}
