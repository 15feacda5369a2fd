import { sep } from 'node:path'
import * as z from 'zod/mini'
import { isPlainObject } from '../../core/index.ts'
import { HEADER_TEXT_PATTERN } from '../header-text-pattern.ts'
import { placeAt } from '../problem-at.ts'
import { described, object, path, record, refusedUnseen, SYSTEM_TEXT_PATTERN, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { BASE_URL_PATTERN, VARIABLE } from './providers.ts'
import { shownValue } from './shown-value.ts'

const LONGEST_TEXT = 32_768
const MOST_SERVERS = 100
/** Arguments, variables or headers of one server. */
const MOST_PARTS = 200
/** No user and no `#` fragment; some servers need a query. */
const URL_PATTERN = BASE_URL_PATTERN.replace(/\$$/, () => "(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]{0,2000})?$")

/** A text, or the environment variable with it, so that keys stay out of configs. */
export type WrittenText = string | { readonly env: string; readonly prefix?: string | undefined }

/** Names with texts. */
function texts(what: string, form: string, namePattern: string, pattern: string) {
  const error = refusedUnseen(`a set of ${what} with texts`, `e.g. ${form}`)
  const either = refusedUnseen('a text (numbers in quotes) or { env: VARIABLE, prefix: TEXT }')
  const written = text(either, pattern, LONGEST_TEXT)
  const inVariable = object({ env: VARIABLE, prefix: z.optional(written) }, refusedUnseen)
  return z.optional(record(text(error, namePattern), z.union([written, inVariable], either), MOST_PARTS, error))
}

const ARGUMENTS = refusedUnseen('a list of texts', 'e.g. [-y, docs-server], and numbers in quotes')
const URL_ERROR = refusedUnseen('the address of an MCP server', 'e.g. https://example.com/mcp')

export const PROGRAM = object(
  {
    command: described(
      path(refusedUnseen('a program', 'e.g. npx, or the path of one')),
      'A program on the `PATH`, or its path, relative to the config’s folder; `~/` is your home',
    ),
    args: described(
      z.optional(
        z
          .array(text(ARGUMENTS, SYSTEM_TEXT_PATTERN, LONGEST_TEXT), ARGUMENTS)
          .check(z.maxLength(MOST_PARTS, ARGUMENTS)),
      ),
      'Its arguments, unchanged: a path in them is relative to the run’s working folder',
    ),
    env: described(
      texts(
        'variables',
        '{ LOG_LEVEL: debug, TOKEN: { env: DOCS_TOKEN } }',
        '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
        SYSTEM_TEXT_PATTERN,
      ),
      'Variables that it gets in addition to those of the [tools](tools.md#what-they-can-reach), including keys',
    ),
  },
  refusedUnseen,
)

export const ADDRESS = object(
  {
    url: described(
      text(URL_ERROR, URL_PATTERN).check(z.refine((url) => URL.canParse(url), URL_ERROR)),
      '`http` or `https`, instead of a `command`',
    ),
    headers: described(
      texts(
        'headers',
        '{ Authorization: { env: DOCS_TOKEN, prefix: "Bearer " } }',
        "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$",
        HEADER_TEXT_PATTERN,
      ),
      'Sent with every request',
    ),
    type: described(
      z.optional(z.enum(['http', 'sse'], refusedUnseen('a transport', 'http or sse'))),
      '`http`, or `sse` for the older transport. Default: `http`',
    ),
  },
  refusedUnseen,
)

/** A server of the Model Context Protocol, and where it is written, as a phrase. Variables are read when it is used. */
export type McpServerSettings = (z.output<typeof PROGRAM> | z.output<typeof ADDRESS>) & { readonly place: string }

export const MCP_SERVERS = setting({
  schema: record(
    // Part of the names of its tools, mcp__SERVER__TOOL, in which providers take no other characters.
    text(
      refusedUnseen('the name of an MCP server', 'letters, digits, dashes and underscores, at most 64'),
      '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
    ),
    z.union([PROGRAM, ADDRESS], {
      error: 'An MCP server is a program (command, args, env) or an address (url, headers, type).',
    }),
    MOST_SERVERS,
    refusedUnseen(
      `a set of at most ${MOST_SERVERS} MCP servers`,
      'e.g. { docs: { command: npx, args: [docs-server] } }',
    ),
  ),
  description: 'MCP servers whose tools [agents](agents.md) can use, by name: see [below](#mcp-servers)',
  twoFiles: 'per server, the later one',
  isByName: true,
  isSecret: true,
  allows(value, name) {
    const { command, url } = isPlainObject(value) ? value : {}
    if (command === undefined) return `calls the MCP server ${name} at ${shownValue(url)}`
    return `starts the MCP server ${name}: ${commandText(value as Readonly<Record<string, unknown>>)}`
  },
  none: new Map(),
  read(written, { document, pathOf }): ReadonlyMap<string, McpServerSettings> {
    const servers = Object.entries(written).map(([name, server]): readonly [string, McpServerSettings] => {
      const place = placeAt(document, ['mcpServers', name])
      // A path is never relative to the working folder, where the program would differ from folder to folder.
      const isPath = 'command' in server && (server.command.includes('/') || server.command.includes(sep))
      return [name, isPath ? { ...server, command: pathOf(server.command), place } : { ...server, place }]
    })
    return new Map(servers)
  },
})

/** The whole command: a part that is cut off, or pushed out of sight by blanks, would still run. */
function commandText({ command, args, env }: Readonly<Record<string, unknown>>): string {
  const words = [command, ...(Array.isArray(args) ? args : [])].map((word) => {
    const plain = typeof word === 'string' ? word : (JSON.stringify(word) ?? '')
    return /^[\w@%+=:,./-]+$/.test(plain) ? plain : JSON.stringify(plain.replace(/\s+/g, ' '))
  })
  const variables = isPlainObject(env) ? Object.entries(env).map(variableText) : []
  return [...words, ...(variables.length === 0 ? [] : [`with ${variables.join(', ')}`])].join(' ')
}

// These decide what a program loads or starts; any other variable may be a secret.
const LOADING =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PERL5OPT|RUBYOPT|GIT_.*|LD_.*|DYLD_.*|PYTHON.*|npm_config_.*)$/i

function variableText([name, value]: readonly [string, unknown]): string {
  return LOADING.test(name) ? `${name}=${JSON.stringify(value)}` : name
}
