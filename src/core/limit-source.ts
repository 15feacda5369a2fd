import { printable } from './printable.ts'

/**
 * Where a limit can come from. Later wins from `defaults` to `call`; a `ceiling` is the operator's and is only ever
 * tightened; a `floor` is the least that a `model` may lower to; a `grant` is an approved increase.
 */
export type Layer =
  | 'defaults'
  | 'preset'
  | 'user'
  | 'project'
  | 'environment'
  | 'call'
  | 'ceiling'
  | 'floor'
  | 'model'
  | 'grant'

export const LAYERS = [
  'defaults',
  'preset',
  'user',
  'project',
  'environment',
  'call',
  'ceiling',
  'floor',
  'model',
  'grant',
] as const satisfies readonly Layer[]

/** Where a limit was written, exactly enough that somebody can go there and change it. */
export interface LimitSource {
  readonly layer: Layer
  /** Whose limit a model lowered; absent where it set one of its own. A person wrote it only if that layer is a person's. */
  readonly lowers?: Layer
  /** The name as it was written: `max_turns`, `turns` or `toolCalls`. */
  readonly written: string
  /** The way to the value inside its object or file, e.g. `limits.toolCalls`. */
  readonly field?: string
  readonly file?: string
  readonly line?: number
  /** The command-line flag as it was given, e.g. `--limit turns=5`. */
  readonly flag?: string
  /** The command that changes it, e.g. `stint budget raise team:core`: that of the flag was over before the limit was met. */
  readonly command?: string
  /** The environment variable it came from. */
  readonly variable?: string
  readonly preset?: string
  /** The API call it was handed to, e.g. `governor.open`. */
  readonly call?: string
}

/** Where the limit is set, as a phrase on one line: "limits.turns in stint.config.yaml:12". */
export function describeSource(source: LimitSource): string {
  const isGranted = source.layer === 'grant' && hasPlace(source)
  return printable(isGranted ? `${placeOf(source)}, and raised by an approval` : placeOf(source))
}

function hasPlace({ flag, file, variable, preset, call }: LimitSource): boolean {
  return [flag, file, variable, preset, call].some((place) => place !== undefined)
}

function placeOf(source: LimitSource): string {
  if (source.flag !== undefined) return `the flag ${source.flag}`
  if (source.file !== undefined) {
    const place = source.line === undefined ? source.file : `${source.file}:${source.line}`
    return `${source.field ?? source.written} in ${place}`
  }
  if (source.variable !== undefined) return `${source.written} in the environment variable ${source.variable}`
  if (source.preset !== undefined) return `the preset ${source.preset}`
  if (source.call !== undefined) return `${source.field ?? source.written} in the call of ${source.call}`
  if (source.layer === 'defaults') return `the default for ${source.written}`
  return `${source.field ?? source.written} (${source.layer})`
}

/** What to do to allow more, as a sentence that names the knob. `owner`: whose limit it is, for readers of another scope. */
export function describeRemedy(source: LimitSource, owner?: string): string {
  return printable(remedyOf(source, owner === undefined ? '' : ` to "${owner}"`))
}

function remedyOf(source: LimitSource, toOwner: string): string {
  const name = source.written
  if (source.layer === 'ceiling') {
    return `It is an operator's ceiling: ask the person who maintains ${describeSource(source)}.`
  }
  if (source.layer === 'model') return `A model lowered it: to allow more, change ${describeSource(source)}.`
  const command = commandOf(source)
  if (command !== null) {
    const change = source.flag === undefined ? `, change ${placeOf(source)}, then` : ''
    const isShared = command.startsWith('stint budget ')
    return `To allow more${change}: ${command}${isShared ? ' (or ask the person who manages this budget).' : ''}`
  }
  if (source.flag !== undefined)
    return `To allow more, pass a larger value${toOwner}: ${withoutValue(source.flag, name)}`
  if (source.preset !== undefined)
    return `To allow more, write ${name} yourself: it overrides the preset ${source.preset}.`
  if (source.layer === 'defaults') return `To allow more, write ${name} yourself: it overrides the default.`
  return `To allow more, change ${placeOf(source)}.`
}

/** The same for the client of a gateway that others operate: what it can do is ask them. */
export function describeRemedyForClient(source: LimitSource): string {
  const command = commandOf(source)
  return printable(`To allow more, ask the operator of this gateway${command === null ? '' : ` (${command})`}.`)
}

/** The command that changes a limit whose own command was over before it was met. */
function commandOf({ command, flag, written }: LimitSource): string | null {
  if (command === undefined) return null
  return flag === undefined ? command : `${command} ${withoutValue(flag, written)}`
}

// `--limit cost=10/day` is shown as `--limit cost=…/day`: the period is part of which limit it is.
function withoutValue(flag: string, name: string): string {
  const start = flag.lastIndexOf(`${name}=`)
  if (start === -1) return `${flag.split(/[ =]/, 1)[0]} …`
  const value = start + name.length + 1
  return flag.slice(0, value) + flag.slice(value).replace(/^[^/:]*/, '…')
}
