import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { stringify } from 'yaml'
import { messageOf } from '../../core/checks/thrown.ts'
import { assertKnownOptions, InvalidOptionError, optionNames } from '../../core/index.ts'
import { parseYaml } from '../../documents/index.ts'
import type { Agent, AgentPlaces } from '../agent.ts'
import { agentFromDraft } from '../agent-from-draft.ts'
import { AGENT_NAME_FORM, isAgentName } from '../agent-name.ts'
import { agentProblem } from '../agent-problem.ts'
import { builtInText } from '../built-in/read-built-in-agents.ts'
import { type AgentFolder, ownFolder } from '../find/agent-folders.ts'
import { listAgentFiles } from '../find/list-agent-files.ts'
import { assertAgentPlaces, findAgents } from '../find-agents.ts'
import { InvalidAgentError } from '../invalid-agent-error.ts'
import { readAgent } from '../read/read-agent.ts'
import { LARGEST_FILE_BYTES, readTextFile } from '../read/read-text-file.ts'
import { type SplitText, splitFrontMatter } from '../read/split-front-matter.ts'
import { UnknownAgentError } from '../unknown-agent-error.ts'
import { AgentEditError } from './agent-edit-error.ts'
import { editFrontMatter, type FieldChange, withLineEndsOf } from './edit-front-matter.ts'
import { makeFolder, replaceFile, writeNewFile } from './write-agent-file.ts'

/** Which agents are managed: those in `.stint/agents` of the project, or of the home folder. */
export interface ManagedPlaces extends AgentPlaces {
  readonly source: 'project' | 'user'
}

/** Changes to an agent's file. */
export interface AgentChanges {
  readonly fields: readonly FieldChange[]
  readonly prompt?: string | undefined
}

const CHANGES = optionNames<AgentChanges>({ fields: true, prompt: true })

export interface WrittenAgent {
  readonly agent: Agent
  readonly file: string
}

/** Creates an agent's file. With the name of a built-in agent, it starts as a copy of that. Never replaces a file. */
export function createAgent(places: ManagedPlaces, name: string, changes: AgentChanges): WrittenAgent {
  assertAgentPlaces('createAgent', places)
  assertKnownOptions('createAgent', changes, CHANGES)
  assertName(name)
  const folder = ownFolder(places, places.source)
  const there = filesNamed(folder, name)[0]
  if (there !== undefined) {
    const message = `${there.file} is already called ${JSON.stringify(name)}. Change it with \`stint agents update ${name}\`.`
    throw new AgentEditError('agent_exists', name, message)
  }
  const file = join(folder.folder, `${name}.md`)
  const begin =
    builtInText(name) ?? `---\n${stringify({ name })}---\nDo what the task asks, and answer with the result.\n`
  const text = changedText(begin, file, name, changes)
  const agent = checkText(text, file, folder, name)
  makeFolder(folder, name)
  writeNewFile(file, text, name)
  return { agent, file }
}

/** Changes the given fields of an agent's file, and nothing else. */
export function updateAgent(places: ManagedPlaces, name: string, changes: AgentChanges): WrittenAgent {
  assertAgentPlaces('updateAgent', places)
  assertKnownOptions('updateAgent', changes, CHANGES)
  const { file, text, folder } = editableFile(places, name)
  const after = changedText(text, file, name, changes)
  const agent = checkText(after, file, folder, name)
  if (after !== text) replaceFile(file, text, after, name)
  return { agent, file }
}

/** Deletes an agent's file. */
export function deleteAgent(places: ManagedPlaces, name: string): { readonly file: string } {
  assertAgentPlaces('deleteAgent', places)
  const { file } = editableFile(places, name)
  rmSync(file)
  return { file }
}

function assertName(name: string): void {
  if (!isAgentName(name)) throw new InvalidOptionError('The name of the agent', name, AGENT_NAME_FORM)
}

interface NamedFile {
  readonly file: string
  readonly text: string
}

/** The files in a folder whose agent has this name, valid or not. */
function filesNamed(folder: AgentFolder, name: string): readonly NamedFile[] {
  return listAgentFiles(folder, []).flatMap((file) => {
    const reading = readTextFile(file)
    const text = reading.kind === 'text' ? reading.text : ''
    return readAgent(text, originOf(file, folder)).name === name ? [{ file, text }] : []
  })
}

function originOf(file: string, { source, format }: AgentFolder) {
  return { source, format, file, nameOfFile: basename(file).replace(/\.md$/i, '') }
}

function editableFile(places: ManagedPlaces, name: string): NamedFile & { readonly folder: AgentFolder } {
  assertName(name)
  const folder = ownFolder(places, places.source)
  const [found, second] = filesNamed(folder, name)
  if (second !== undefined) {
    const message = `${found!.file} and ${second.file} are both called ${JSON.stringify(name)}. Rename one of them first.`
    throw new AgentEditError('agent_not_editable', name, message)
  }
  if (found !== undefined) return { ...found, folder }
  throw notEditable(places, name)
}

/** Why an agent has no file that we may edit: it belongs to another program, is built in, or doesn't exist. */
function notEditable(places: ManagedPlaces, name: string): Error {
  const all = findAgents(places)
  const agent = all.agents.get(name) ?? all.hidden.find((each) => each.name === name)
  const override = `To change it here, override it in the config (agents: { ${JSON.stringify(name)}: { … } }), or copy it: \`stint agents create ${name}\`.`
  if (agent !== undefined) {
    const flag = places.source === 'user' ? 'without --user' : 'with --user'
    const isOtherOfOurs = agent.format === 'stint' && agent.file !== null
    const message =
      agent.file === null
        ? `The agent ${JSON.stringify(name)} is built in. ${override}`
        : isOtherOfOurs
          ? `The agent ${JSON.stringify(name)} is in ${agent.file}. Run the command ${flag}.`
          : `The agent ${JSON.stringify(name)} is in ${agent.file}, which belongs to another program. Change it there. ${override}`
    return new AgentEditError('agent_not_editable', name, message)
  }
  return new UnknownAgentError(name, [...all.agents.keys(), ...all.refused.keys()].sort())
}

function changedText(text: string, file: string, name: string, changes: AgentChanges): string {
  const split = splitFrontMatter(text)
  if (split.kind !== 'split')
    throw new InvalidAgentError(name, [agentProblem(file, { line: split.line }, split.message)])
  const reading = parseYaml(file, split.frontMatter)
  if (reading.kind === 'refused') {
    const problems = reading.problems.map(({ line, field, message }) =>
      agentProblem(file, { line: line === null ? null : line + 1, field }, message),
    )
    throw new InvalidAgentError(name, problems)
  }
  const frontMatter = edited(split.frontMatter, file, name, changes.fields)
  return split.before + frontMatter + split.between + bodyOf(split, changes.prompt)
}

function edited(frontMatter: string, file: string, name: string, changes: readonly FieldChange[]): string {
  try {
    return editFrontMatter(frontMatter, changes)
  } catch (error) {
    // E.g. a field inside a list.
    const reason = messageOf(error)
    const message = `${changes.map(({ path }) => path.join('.')).join(', ')} cannot be changed in ${file}: ${reason}. Change the file itself.`
    throw new AgentEditError('agent_not_editable', name, message)
  }
}

function bodyOf({ before, body }: SplitText, prompt: string | undefined): string {
  if (prompt === undefined) return body
  // Many files have an empty line after the front matter.
  const [space] = /^(?:\r?\n)*/.exec(body)!
  return space + withLineEndsOf(before, `${prompt.trim()}\n`)
}

/** Checks the text before it is written, by reading it as if from the file. */
function checkText(text: string, file: string, folder: AgentFolder, name: string): Agent {
  const bytes = Buffer.byteLength(text)
  if (bytes > LARGEST_FILE_BYTES) {
    const message = `The file would have ${bytes} bytes; the limit for an agent is ${LARGEST_FILE_BYTES}.`
    throw new InvalidAgentError(name, [agentProblem(file, {}, message)])
  }
  const draft = readAgent(text, originOf(file, folder))
  if (draft.kind === 'refused') throw new InvalidAgentError(name, draft.problems)
  if (draft.name !== name) {
    const message = `The agent would be called ${JSON.stringify(draft.name)}. To rename an agent, create a new one and delete this one.`
    throw new InvalidAgentError(name, [agentProblem(file, { field: 'name', value: draft.name }, message)])
  }
  return agentFromDraft(draft, [])
}
