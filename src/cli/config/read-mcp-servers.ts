import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isPlainObject, suggestName } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { placeIn, problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import {
  HEADER_PATTERN,
  HEADER_TEXT_PATTERN,
  LONGEST_COMMAND,
  LONGEST_TEXT,
  MOST_PARTS,
  MOST_SERVERS,
  PROGRAM_TEXT_PATTERN,
  PROGRAM_VARIABLE_PATTERN,
  SERVER_PATTERN,
  SERVER_TYPES,
  SERVER_URL_PATTERN,
} from './mcp-server-rules.ts'
import type { McpServerSettings, WrittenText } from './mcp-server-settings.ts'
import { VARIABLE_PATTERN } from './read-upstreams.ts'

const PROGRAM_FIELDS = ['command', 'args', 'env'] as const
const ADDRESS_FIELDS = ['url', 'headers', 'type'] as const

type Refuse = (field: string, message: string, suggestion?: string | null) => void

/** What every server is read with. */
interface Reading {
  readonly field: string
  readonly place: string
  /** The path of a program, from what is written. */
  readonly pathOf: (command: string) => string
  readonly refuse: Refuse
}

/**
 * Reads `mcpServers: { NAME: { command, args, env } | { url, headers, type } }`. Arguments, variables and headers may
 * be keys, and so may whatever is refused here: no value is ever shown or kept.
 */
export function readMcpServers(
  document: Document,
  value: unknown,
  homeFolder: string,
  problems: ConfigProblem[],
): ReadonlyMap<string, McpServerSettings> {
  const servers = new Map<string, McpServerSettings>()
  const refuse: Refuse = (field, message, suggestion = null) => {
    problems.push(problemIn(document, field, undefined, message, suggestion))
  }
  if (!isPlainObject(value) || Object.keys(value).length > MOST_SERVERS) {
    refuse(
      'mcpServers',
      'This is no object of MCP servers. Write e.g. { docs: { command: npx, args: [docs-server] } }.',
    )
    return servers
  }
  const pathOf = (command: string): string => programPath(command, dirname(document.file), homeFolder)
  for (const name of Object.keys(value)) {
    const field = fieldName('mcpServers', name)
    if (!matches(SERVER_PATTERN, name)) {
      refuse(field, 'This is no name of an MCP server: letters, digits, dashes and underscores, at most 64.')
    }
    const settings = readServer(value[name], { field, place: placeIn(document, field), pathOf, refuse })
    if (settings !== null) servers.set(name, settings)
  }
  return servers
}

/** A path starts at the folder of the file, as every path of a config: in the working folder it is somebody else's. */
function programPath(command: string, folder: string, homeFolder: string): string {
  if (command.startsWith('~/')) return join(homeFolder, command.slice(2))
  const isPath = command.includes('/') || command.includes(sep)
  return isPath && !isAbsolute(command) ? resolve(folder, command) : command
}

function readServer(value: unknown, reading: Reading): McpServerSettings | null {
  const { field, refuse } = reading
  const isProgram = isPlainObject(value) && Object.hasOwn(value, 'command')
  if (!isPlainObject(value) || isProgram === Object.hasOwn(value, 'url')) {
    refuse(field, 'An MCP server is a program (command, args, env) or an address (url, headers, type).')
    return null
  }
  const names: readonly string[] = isProgram ? PROGRAM_FIELDS : ADDRESS_FIELDS
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue
    const message = `There is no such setting. The settings here are ${names.join(', ')}.`
    refuse(fieldName(field, key), message, suggestName(key, names))
  }
  return isProgram ? readProgram(value, reading) : readAddress(value, reading)
}

type Fields = Readonly<Record<string, unknown>>

function readProgram(fields: Fields, { field, place, pathOf, refuse }: Reading): McpServerSettings | null {
  const { command, args = [], env = {} } = fields
  const isCommand = isText(command, PROGRAM_TEXT_PATTERN, LONGEST_COMMAND) && command !== ''
  if (!isCommand) refuse(fieldName(field, 'command'), 'This is no program. Write e.g. npx, or the path of one.')
  const isList =
    Array.isArray(args) && args.length <= MOST_PARTS && args.every((each) => isText(each, PROGRAM_TEXT_PATTERN))
  if (!isList) {
    refuse(fieldName(field, 'args'), 'This is no list of texts. Write e.g. [-y, docs-server], and numbers in quotes.')
  }
  const variables = readTexts(env, fieldName(field, 'env'), VARIABLES, refuse)
  if (!isCommand || !isList || variables === null) return null
  return { kind: 'program', command: pathOf(command), args, env: variables, place }
}

function readAddress(fields: Fields, { field, place, refuse }: Reading): McpServerSettings | null {
  const { url, headers: written = {}, type: way = 'http' } = fields
  const isAddress = typeof url === 'string' && matches(SERVER_URL_PATTERN, url) && URL.canParse(url)
  if (!isAddress) {
    refuse(fieldName(field, 'url'), 'This is no address of an MCP server. Write e.g. https://example.com/mcp.')
  }
  const type = SERVER_TYPES.find((each) => each === way)
  if (type === undefined) refuse(fieldName(field, 'type'), 'This is no way to speak to a server: write http or sse.')
  const headers = readTexts(written, fieldName(field, 'headers'), HEADERS, refuse)
  if (!isAddress || type === undefined || headers === null) return null
  return { kind: 'address', url, type, headers, place }
}

/** What is named and has a text: which names and texts there can be. */
interface Named {
  readonly namePattern: string
  readonly textPattern: string
  readonly form: string
}

const VARIABLES: Named = {
  namePattern: PROGRAM_VARIABLE_PATTERN,
  textPattern: PROGRAM_TEXT_PATTERN,
  form: 'variables with texts. Write e.g. { LOG_LEVEL: debug, TOKEN: { env: DOCS_TOKEN } }',
}
const HEADERS: Named = {
  namePattern: HEADER_PATTERN,
  textPattern: HEADER_TEXT_PATTERN,
  form: 'headers with texts. Write e.g. { Authorization: { env: DOCS_TOKEN, prefix: "Bearer " } }',
}

function readTexts(
  value: unknown,
  field: string,
  { namePattern, textPattern, form }: Named,
  refuse: Refuse,
): ReadonlyMap<string, WrittenText> | null {
  const entries = isPlainObject(value) ? Object.entries(value) : null
  const isNamed = entries?.every(([name]) => matches(namePattern, name)) && entries.length <= MOST_PARTS
  if (entries === null || !isNamed) {
    // Without the name: what is none may be a whole line, with a key in it.
    refuse(field, `These are no ${form}.`)
    return null
  }
  const texts = new Map<string, WrittenText>()
  for (const [name, written] of entries) {
    const text = readText(written, textPattern)
    if (text !== null) texts.set(name, text)
    else
      refuse(fieldName(field, name), 'This is neither a text (numbers in quotes) nor { env: VARIABLE, prefix: TEXT }.')
  }
  return texts.size === entries.length ? texts : null
}

function readText(value: unknown, pattern: string): WrittenText | null {
  if (isText(value, pattern)) return value
  if (!isPlainObject(value)) return null
  const { env, prefix = '', ...others } = value
  const isReference = typeof env === 'string' && matches(VARIABLE_PATTERN, env) && isText(prefix, pattern)
  return isReference && Object.keys(others).length === 0 ? { env, prefix } : null
}

function isText(value: unknown, pattern: string, longest = LONGEST_TEXT): value is string {
  return typeof value === 'string' && value.length <= longest && matches(pattern, value)
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern).test(text)
}
