import type { ChainStep, ChildStep, Collect, Expand, Share, StepGroup } from './chain.ts'
import {
  CHILD_RULES,
  COLLECT_RULES,
  DEFAULT_MAX_ITEMS,
  EXPAND_RULES,
  FROM_RULES,
  GROUP_RULES,
  MOST_CHILDREN,
} from './chain-fields.ts'
import type { ChainOrigin } from './chain-origin.ts'
import type { WrittenPart } from './written-part.ts'

const CHILD_FIELDS = [...Object.keys(CHILD_RULES), 'limits']
const GROUP_FIELDS = [...Object.keys(GROUP_RULES), 'share', 'parallel']
// Fields of pi's steps that have no counterpart here: ignoring them changes nothing else.
const UNREAD_FIELDS = ['skill', 'skills']
// Fields of pi's steps that cannot be ignored: an agent could do more, or work elsewhere.
const UNSUPPORTED: Readonly<Record<string, string>> = {
  cwd: 'cwd is not supported: every agent of a chain works in the folder where the chain was started.',
  toolBudget: 'toolBudget is not supported. Write limits: { toolCalls: 10 }.',
}

/** The context for reading a step. */
export interface StepReading {
  readonly origin: ChainOrigin
  readonly warnings: string[]
}

/** Reads one step of a chain; `null` and problems if it is invalid. `isFirst`: there is no previous step. */
export function readStep(written: WrittenPart, reading: StepReading, isFirst: boolean): ChainStep | null {
  if (written.has('expand') || written.has('collect')) return readExpand(written, reading)
  if (written.has('parallel')) return readParallel(written, reading, isFirst)
  const child = readChild(written, reading, defaultTask(isFirst))
  if (child !== null && child.count > 1)
    written.refuse('count', 'For several agents, write a parallel step: parallel: [ … ].')
  return child === null ? null : { kind: 'sequential', child }
}

function defaultTask(isFirst: boolean): string {
  return isFirst ? '{task}' : '{previous}'
}

function readParallel(written: WrittenPart, reading: StepReading, isFirst: boolean): ChainStep | null {
  const group = readGroup(written, GROUP_FIELDS)
  const parts = written.parts('parallel', 'what one agent does, e.g. { agent: explore, task: … }', MOST_CHILDREN)
  const children = parts.flatMap((part) => readChild(part, reading, defaultTask(isFirst)) ?? [])
  const agents = children.reduce((sum, { count }) => sum + count, 0)
  if (agents > MOST_CHILDREN)
    written.refuse('parallel', `It would start ${agents} agents; a step has at most ${MOST_CHILDREN}.`)
  return { kind: 'parallel', children, ...group }
}

function readExpand(written: WrittenPart, reading: StepReading): ChainStep | null {
  const group = readGroup(written, [...GROUP_FIELDS, 'expand', 'collect'])
  const expand = readItems(written)
  const collect = readCollect(written)
  const part = written.part(
    'parallel',
    'what one agent does for each item, e.g. { agent: explore, task: "Look at {item}" }',
  )
  if (part !== null && !part.has('task')) {
    part.refuse(null, 'The task for each item is missing. Write e.g. task: "Look at {item}".')
  }
  const child = part === null ? null : readChild(part, reading, '{item}')
  if (child !== null && child.as !== null) part!.refuse('as', 'All answers together have one name: collect: { as: … }.')
  if (child !== null && child.count > 1) part!.refuse('count', 'It is started once for each item.')
  return expand === null || collect === null || child === null
    ? null
    : { kind: 'expand', expand, child, collect, ...group }
}

function readGroup(written: WrittenPart, known: readonly string[]): StepGroup {
  written.refuseOthers('a step with several agents', known)
  const { phase, label, concurrency, failFast, worktree } = written.read(GROUP_RULES)
  return {
    phase: phase ?? null,
    label: label ?? null,
    concurrency: concurrency ?? null,
    failFast: failFast ?? false,
    worktree: worktree ?? false,
    share: readShare(written),
  }
}

/** `equal`, or the limits of each. */
export function readShare(written: WrittenPart): Share | null {
  const { share } = written.values
  if (share === undefined || share === null) return null
  if (share === 'equal') return share
  if (typeof share === 'string') {
    written.refuse('share', 'A share is "equal", or limits for each: share: { tokens: 20k }.')
    return null
  }
  return written.limits('share', 'call')[0] ?? null
}

function readItems(written: WrittenPart): Expand | null {
  const part = written.part('expand', 'where the items come from, e.g. { from: { output: plan, path: /files } }')
  const from = part?.part('from', 'an earlier output and a path, e.g. { output: plan, path: /files }') ?? null
  if (part === null || from === null) return null
  part.refuseOthers('expand', ['from', ...Object.keys(EXPAND_RULES)])
  from.refuseOthers('expand.from', Object.keys(FROM_RULES))
  const { item, key, maxItems, onEmpty } = part.read(EXPAND_RULES)
  const { output, path } = from.read(FROM_RULES)
  if (!from.has('output')) from.refuse(null, 'The output with the items is missing. Write output: NAME.')
  if (typeof output !== 'string') return null
  return {
    from: { output, path: path ?? '' },
    item: item ?? 'item',
    key: key ?? null,
    maxItems: maxItems ?? DEFAULT_MAX_ITEMS,
    onEmpty: onEmpty ?? 'skip',
  }
}

function readCollect(written: WrittenPart): Collect | null {
  const part = written.part('collect', 'a name for the answers, e.g. { as: reviews }')
  if (part === null) return null
  part.refuseOthers('collect', Object.keys(COLLECT_RULES))
  const { as, outputSchema } = part.read(COLLECT_RULES)
  if (!part.has('as')) part.refuse(null, 'The answers need a name. Write collect: { as: reviews }.')
  return typeof as === 'string' ? { as, outputSchema: outputSchema ?? null } : null
}

/** Reads one agent's part; `null` and problems if it has no agent. */
export function readChild(written: WrittenPart, { origin, warnings }: StepReading, task: string): ChildStep | null {
  for (const [name, message] of Object.entries(UNSUPPORTED)) if (written.has(name)) written.refuse(name, message)
  for (const name of UNREAD_FIELDS.filter((each) => written.has(each))) {
    warnings.push(`${written.fieldOf(name)} in ${origin.file} is not read.`)
  }
  written.refuseOthers('a step', [...CHILD_FIELDS, ...UNREAD_FIELDS, ...Object.keys(UNSUPPORTED)])
  const fields = withSchemaFile(written, origin)?.read(CHILD_RULES) ?? {}
  if (!written.has('agent')) {
    written.refuse(null, 'The agent is missing. Write agent: NAME, parallel: [ … ] or expand: { … }.')
  }
  const limits = written.limits('limits', 'call')
  const { agent, reads, output, acceptance } = fields
  if (typeof agent !== 'string') return null
  return {
    agent,
    task: fields.task ?? task,
    as: fields.as ?? null,
    phase: fields.phase ?? null,
    label: fields.label ?? null,
    model: fields.model ?? null,
    tools: fields.tools ?? null,
    reads: reads ?? [],
    output: output === null ? false : (output ?? null),
    outputMode: fields.outputMode ?? null,
    progress: fields.progress ?? null,
    outputSchema: fields.outputSchema ?? null,
    acceptance: acceptance === null ? false : (acceptance ?? null),
    context: fields.context ?? null,
    limits,
    count: fields.count ?? 1,
  }
}

/** A schema may be in a file next to the chain, whose content then takes its place. */
function withSchemaFile(written: WrittenPart, origin: ChainOrigin): WrittenPart | null {
  const { outputSchema } = written.values
  if (typeof outputSchema !== 'string') return written
  const read = origin.readSchema(outputSchema)
  if (typeof read !== 'string') return written.with({ outputSchema: read.value })
  written.refuse('outputSchema', `The schema cannot be read from ${JSON.stringify(outputSchema)}: ${read}.`)
  return null
}
