import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../../core/checks/thrown.ts'
import { syncFolder } from '../../system/index.ts'
import type { AgentFolder } from '../find/agent-folders.ts'
import { isInside, realPathOf } from '../find/list-agent-files.ts'
import { readTextFile } from '../read/read-text-file.ts'
import { AgentEditError } from './agent-edit-error.ts'

/** Creates the folder of agents, unless a link would put it outside the project. */
export function makeFolder({ folder, confinedTo, source }: AgentFolder, agent: string): void {
  // The existing part of the path decides where the rest would be created.
  let there = folder
  while (realPathOf(there) === null && dirname(there) !== there) there = dirname(there)
  const root = realPathOf(confinedTo)
  if (source === 'project' && (root === null || !isInside(root, realPathOf(there)))) {
    const message = `${folder} is a link to a place outside the project. Nothing is written there.`
    throw new AgentEditError('agent_not_editable', agent, message)
  }
  mkdirSync(folder, { recursive: true })
}

/** Writes a new file, completely or not at all. */
export function writeNewFile(file: string, text: string, agent: string): void {
  const temporary = writeBeside(file, text, 0o644)
  try {
    placeWithoutReplacing(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const message = `${file} already exists. Change it with \`stint agents update ${agent}\`.`
    throw new AgentEditError('agent_exists', agent, message)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(file))
}

/** Replaces a file whose content is still `before`, completely or not at all. */
export function replaceFile(file: string, before: string, after: string, agent: string): void {
  const temporary = writeBeside(file, after, statSync(file).mode & 0o777)
  try {
    const now = readTextFile(file)
    if (now.kind !== 'text' || now.text !== before) {
      const message = `${file} has changed in the meantime. Look at it, and try again.`
      throw new AgentEditError('agent_changed', agent, message)
    }
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(file))
}

function writeBeside(file: string, text: string, mode: number): string {
  // Not a Markdown file, so that it isn't mistaken for an agent if it is left behind.
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`)
  const descriptor = openSync(temporary, 'wx', mode)
  try {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return temporary
}

function placeWithoutReplacing(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    // Not every file system has hard links.
    copyFileSync(temporary, file, constants.COPYFILE_EXCL)
  }
}
