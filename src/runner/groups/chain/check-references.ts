import { suggestName } from '../../../core/index.ts'
import type { ChainStep, ChildStep } from './chain.ts'
import { templateParts } from './template.ts'

/** Reports a problem at a field of a step: `parallel[1].task`. */
export type Report = (step: number, field: string, message: string) => void

/** The names that a template may use at its place. */
interface Names {
  readonly outputs: ReadonlyMap<string, number>
  /** The name of an item; `null` outside of a fan-out. */
  readonly item: string | null
  /** The outputs of later steps: using one is reported as a separate mistake. */
  readonly later: ReadonlyMap<string, number>
  readonly isFirst: boolean
}

const RESERVED = ['task', 'previous', 'outputs', 'chain_dir']

/**
 * Checks every name that steps define and use: output names are unique, and a step uses only outputs of earlier steps.
 */
export function checkReferences(steps: readonly ChainStep[], report: Report): void {
  const all = namesOf(steps, report)
  const outputs = new Map<string, number>()
  for (const [index, step] of steps.entries()) {
    const names: Names = {
      outputs,
      item: step.kind === 'expand' ? step.expand.item : null,
      later: all,
      isFirst: index === 0,
    }
    if (step.kind === 'expand') checkExpand(step.expand, names, (field, message) => report(index, field, message))
    for (const { child, field } of childrenOf(step)) {
      const at = (name: string): string => (field === '' ? name : `${field}.${name}`)
      checkTemplate(child.task, names, (message) => report(index, at('task'), message))
      checkTemplate(child.label ?? '', names, (message) => report(index, at('label'), message))
    }
    for (const { name } of outputsOf(step)) outputs.set(name, index)
  }
}

/** Every output name with its step. Duplicate names are a problem. */
function namesOf(steps: readonly ChainStep[], report: Report): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const [index, step] of steps.entries()) {
    for (const { name, field } of outputsOf(step)) {
      const first = names.get(name)
      if (first === undefined) names.set(name, index)
      else
        report(index, field, `Step ${first + 1} also has an output called ${JSON.stringify(name)}. Rename one of them.`)
    }
  }
  return names
}

interface NamedOutput {
  readonly name: string
  readonly field: string
}

function outputsOf(step: ChainStep): readonly NamedOutput[] {
  if (step.kind === 'expand') return [{ name: step.collect.as, field: 'collect.as' }]
  return childrenOf(step).flatMap(({ child, field }) =>
    child.as === null ? [] : [{ name: child.as, field: field === '' ? 'as' : `${field}.as` }],
  )
}

interface PlacedChild {
  readonly child: ChildStep
  readonly field: string
}

function childrenOf(step: ChainStep): readonly PlacedChild[] {
  if (step.kind === 'sequential') return [{ child: step.child, field: '' }]
  if (step.kind === 'expand') return [{ child: step.child, field: 'parallel' }]
  return step.children.map((child, index) => ({ child, field: `parallel[${index}]` }))
}

function checkExpand(
  { from, item }: { readonly from: { readonly output: string }; readonly item: string },
  names: Names,
  report: (field: string, message: string) => void,
): void {
  if (RESERVED.includes(item))
    report('expand.item', `{${item}} already means something else. Give the item another name.`)
  const message = missingOutput(from.output, names)
  if (message !== null) report('expand.from.output', message)
}

function checkTemplate(template: string, names: Names, report: (message: string) => void): void {
  const told = new Set<string>()
  for (const part of templateParts(template)) {
    if (part.kind === 'text' || told.has(part.written)) continue
    told.add(part.written)
    const message = wrongReference(part.name, part.path, names)
    if (message !== null) report(`${part.written}: ${message}`)
  }
}

/** The problem with a name in a template; `null` if there is none. */
function wrongReference(name: string, path: string | null, names: Names): string | null {
  if (name === names.item)
    return path === null || isItemPath(path) ? null : 'an item has no such part. Write e.g. {item.path}.'
  if (name === 'outputs') return path === null ? 'say which, e.g. {outputs.plan}.' : missingOutput(path, names)
  if (RESERVED.includes(name)) {
    if (path !== null) return `{${name}} is text and has no parts.`
    return name === 'previous' && names.isFirst ? 'the first step has no previous step.' : null
  }
  const known = [...RESERVED.filter((each) => each !== 'outputs'), ...(names.item === null ? [] : [names.item])]
  const nearest = suggestName(name, known)
  const hint = nearest === null ? `The names are ${known.join(', ')} and outputs.NAME.` : `Did you mean {${nearest}}?`
  const others = name === 'item' ? 'there is no item outside of a fan-out.' : `nothing has this name. ${hint}`
  return `${others} To write it as text: {{${name}${path === null ? '' : `.${path}`}}}.`
}

function isItemPath(path: string): boolean {
  return path.split('.').every((step) => step !== '')
}

function missingOutput(name: string, { outputs, later, isFirst }: Names): string | null {
  if (outputs.has(name)) return null
  const giver = later.get(name)
  if (giver !== undefined) return `step ${giver + 1} provides it, and that is not before this one.`
  const known = [...outputs.keys()]
  const nearest = suggestName(name, known)
  if (nearest !== null)
    return `no step before has an output called ${JSON.stringify(name)}. Did you mean ${JSON.stringify(nearest)}?`
  const given =
    isFirst || known.length === 0
      ? 'None has a name: write as: NAME in that step.'
      : `They are called ${known.join(', ')}.`
  return `no step before has an output called ${JSON.stringify(name)}. ${given}`
}
