import { problemText } from '../../agents/index.ts'
import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import type { Chain, ChainStep } from '../../runner/index.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-code.ts'
import { chainMeant, chainsHere } from '../group/read-group.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { leftOutLine } from '../trust/left-out.ts'

const COLUMNS = ['NAME', 'FROM', 'STEPS', { heading: 'DESCRIPTION', shrinksTo: 20 }] as const

/** `stint chains list`. */
export async function listChains(context: CommandContext): Promise<Report> {
  const { chains, hidden, problems, leftOut } = chainsHere(context)
  const sorted = [...chains.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
  const unused = leftOut.map(({ place, allows }) => ({ place, reason: `It ${allows}.` }))
  const rows = sorted.map(({ name, source, steps, description }) =>
    [name, source, String(steps.length), description.replace(/\s+/g, ' ')].map(printable),
  )
  const none = 'No chains yet. Add one, e.g. .stint/chains/review.chain.yaml'
  return {
    json: { chains: sorted.map(chainSummary), hidden: hidden.map(chainSummary), problems, leftOut: unused },
    text: sorted.length === 0 ? none : formatTable(COLUMNS, rows, context.width),
    notices: [
      ...(problems.length === 0
        ? []
        : [`${countText(problems.length, 'problem')}: \`stint chains validate\` lists them.`]),
      ...[leftOutLine(unused)].flatMap((line) => line ?? []),
    ],
  }
}

/** `stint chains get CHAIN`. */
export async function getChain(context: CommandContext, name: string): Promise<Report> {
  const chain = chainMeant(context, name)
  const head = [chain.name, ...(chain.description === '' ? [] : [chain.description])]
  return {
    json: { ...chain, limits: chain.limits.flatMap(({ entries }) => entries) },
    text: [...head.map(printable), '', ...chain.steps.map(stepText)].join('\n'),
    notices: chain.warnings.map(printable),
  }
}

/** `stint chains validate [CHAIN]`. The agents that a chain names are checked, too. */
export async function validateChains(context: CommandContext, name: string | undefined): Promise<Report> {
  const { agentsHere } = await import('../agents/agents-here.ts')
  const { agents } = agentsHere(context)
  const { chains, problems } =
    name === undefined ? chainsHere(context) : { chains: new Map([['', chainMeant(context, name)]]), problems: [] }
  const unknown = [...chains.values()].flatMap((chain) =>
    agentsOf(chain)
      .filter((agent) => !agents.has(agent))
      .map((agent) => `${chain.file ?? chain.name}: There is no agent ${JSON.stringify(agent)}.`),
  )
  const lines = [...problems.map(problemText), ...unknown]
  return {
    json: { ok: lines.length === 0, chains: [...chains.values()].map(chainSummary), problems, unknownAgents: unknown },
    text: lines.length === 0 ? `${countText(chains.size, 'chain')} can be run.` : lines.map(printable).join('\n'),
    exitCode: lines.length === 0 ? EXIT.done : EXIT.notWell,
  }
}

function chainSummary({ name, description, source, file, steps }: Chain): object {
  return { name, description, source, file, steps: steps.length }
}

function agentsOf({ steps }: Chain): readonly string[] {
  const children = steps.flatMap((step) => (step.kind === 'parallel' ? step.children : [step.child]))
  return [...new Set(children.map(({ agent }) => agent))]
}

function stepText(step: ChainStep, index: number): string {
  const number = `${index + 1}.`
  if (step.kind === 'sequential') return printable(`${number} ${step.child.agent}${asText(step.child.as)}`)
  if (step.kind === 'expand') {
    const { output, path } = step.expand.from
    return printable(
      `${number} ${step.child.agent} for each of ${output}${path}, at most ${step.expand.maxItems}${asText(step.collect.as)}`,
    )
  }
  const names = step.children.map(({ agent, count }) => (count === 1 ? agent : `${agent} ×${count}`))
  return printable(`${number} at once: ${names.join(', ')}`)
}

function asText(name: string | null): string {
  return name === null ? '' : ` → ${name}`
}
