import { createCostConsent } from '../run/cost-consent.ts'
import type { DeclaredTool } from '../tools/declared-tool.ts'
import type { DelegatingTool } from '../tools/tool-names.ts'
import type { Delegates } from './delegates.ts'
import { createDelegation } from './delegation.ts'
import type { Delegator } from './delegator.ts'
import { handoffTool } from './handoff-tool.ts'
import { subagentTool } from './subagent-tool.ts'
import { submitTool } from './submit-tool.ts'

/** Creates the delegation tools that the agent has. */
export function createDelegates(
  run: Omit<Delegator, 'found' | 'spawner'>,
  names: ReadonlySet<DelegatingTool>,
): Delegates {
  let submission: string | null = null
  const delegating = names.has('subagent') || names.has('handoff') ? openDelegation(run) : null
  const made: [DelegatingTool, DeclaredTool][] = []
  if (delegating !== null) {
    const { delegator, delegation } = delegating
    if (names.has('subagent')) made.push(['subagent', subagentTool(delegator, delegation)])
    if (names.has('handoff')) made.push(['handoff', handoffTool(delegator, delegation)])
  }
  if (names.has('submit')) {
    const onSubmit = (answer: string): void => {
      submission = answer
    }
    made.push(['submit', submitTool(onSubmit)])
  }
  return {
    tools: Object.fromEntries(made.map(([name, { tool }]) => [name, tool])),
    declarations: Object.fromEntries(made.map(([name, { declaration }]) => [name, declaration])),
    remember: async (started, isDone) => delegating?.delegation.remember(started, isDone),
    takeSubmission() {
      const taken = submission
      submission = null
      return taken
    },
    endBackground: async () => delegating?.delegation.endBackground(),
    finish: async (isPaused) => (delegating === null ? [] : delegating.delegation.finish(isPaused)),
  }
}

/** Agent files are read once, for everything that this run and the runs below it start. */
function openDelegation(run: Omit<Delegator, 'found' | 'spawner'>) {
  const found = run.context.findAgents(run.saved.workingFolder)
  const { consent: _, ...inherited } = run.context
  const { askAboveCost: above = null } = run.saved
  // What the runs above may start already includes this run: it spends from that.
  const { scope } = run
  const consent = above === null ? {} : { consent: createCostConsent(run.context.taskFolder, { scope, above }) }
  const context = { ...inherited, ...consent, findAgents: () => found }
  const delegator: Delegator = { ...run, context, found, spawner: context.createSpawner(context) }
  return { delegator, delegation: createDelegation(delegator) }
}
