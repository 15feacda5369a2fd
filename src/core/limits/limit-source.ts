import { printable } from '../checks/printable.ts'

/**
 * Where a limit can come from. From `defaults` to `call`, later layers win. A `ceiling` belongs to the operator and can
 * only be tightened; a `floor` is the least that a `model` may lower to; a `grant` is an approved increase.
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

/** Where a limit was written, precisely enough to find and change it. */
export interface LimitSource {
  readonly layer: Layer
  /**
   * The layer of the limit that a model lowered; absent if the model set its own. A person wrote the limit only if that
   * layer is a person's.
   */
  readonly lowers?: Layer
  /** The name as written: `max_turns`, `turns` or `toolCalls`. */
  readonly written: string
  /** The path to the value inside its object or file, e.g. `limits.toolCalls`. */
  readonly field?: string
  readonly file?: string
  readonly line?: number
  /** The command-line flag as it was given, e.g. `--limit turns=5`. */
  readonly flag?: string
  /**
   * The command that changes it, e.g. `stint budget raise team:core`, if the command with the flag has already
   * finished.
   */
  readonly command?: string
  readonly variable?: string
  readonly preset?: string
  /** The API call that received it, e.g. `governor.open`. */
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

/** Optional parts of a remedy. */
export interface RemedyOptions {
  /** The scope that has the limit, for readers in another scope. */
  readonly owner?: string | undefined
  /** The smallest value that would suffice. */
  readonly least?: string | undefined
}

/** How to allow more, as a sentence that names the setting. */
export function describeRemedy(source: LimitSource, { owner, least }: RemedyOptions = {}): string {
  const toOwner = owner === undefined ? '' : ` to "${owner}"`
  return printable(remedyOf(source, toOwner, least))
}

function remedyOf(source: LimitSource, toOwner: string, least: string | undefined): string {
  const name = source.written
  const enough = atLeast(least)
  if (source.layer === 'ceiling') {
    return `It is an operator's ceiling: ask the person who maintains ${describeSource(source)}.${enough}`
  }
  if (source.layer === 'model') return `A model lowered it: to allow more, change ${describeSource(source)}.${enough}`
  const command = commandOf(source, least)
  if (command !== null) {
    const change = source.flag === undefined ? `, change ${placeOf(source)}, then` : ''
    const isShared = command.startsWith('stint budget ')
    return `To allow more${change}: ${command}${isShared ? ' (or ask the person who manages this budget).' : ''}`
  }
  if (source.flag !== undefined) {
    const flag = withValue(source.flag, name, least)
    if (least !== undefined) return `Allow at least ${flag}${toOwner}.`
    return `To allow more, pass a larger value${toOwner}: ${flag}`
  }
  if (source.preset !== undefined) {
    return `To allow more, write ${name} yourself: it overrides the preset ${source.preset}.${enough}`
  }
  if (source.layer === 'defaults') return `To allow more, write ${name} yourself: it overrides the default.${enough}`
  return `To allow more, change ${placeOf(source)}.${enough}`
}

/** The same for the client of a gateway, which can only ask its operator. */
export function describeRemedyForClient(source: LimitSource, least?: string): string {
  const command = commandOf(source, least)
  const shown = command === null ? '' : ` (${command})`
  const enough = command === null ? atLeast(least) : ''
  return printable(`To allow more, ask the operator of this gateway${shown}.${enough}`)
}

function atLeast(least: string | undefined): string {
  return least === undefined ? '' : ` At least ${least} is needed.`
}

/** The command that changes a limit whose own command has already finished. */
function commandOf({ command, flag, written }: LimitSource, least: string | undefined): string | null {
  if (command === undefined) return null
  return flag === undefined ? command : `${command} ${withValue(flag, written, least)}`
}

// `--limit cost=10/day` is shown as `--limit cost=…/day`: the period identifies the limit.
function withValue(flag: string, name: string, value = '…'): string {
  const start = flag.lastIndexOf(`${name}=`)
  if (start === -1) return `${flag.split(/[ =]/, 1)[0]} ${value === '…' ? value : `${name}=${value}`}`
  const from = start + name.length + 1
  return flag.slice(0, from) + flag.slice(from).replace(/^[^/:]*/, () => value)
}
