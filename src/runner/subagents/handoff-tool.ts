import { jsonSchema, tool } from 'ai'
import type { Agent } from '../../agents/index.ts'
import { type ParsedLimits, parseLimits } from '../../policy/index.ts'
import type { DeclaredTool } from '../tools/declared-tool.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import { childOfCall, timesCalled } from './child-of-call.ts'
import type { Delegation } from './delegation.ts'
import type { Delegator } from './delegator.ts'
import { type ModelInput, readAgentAndTask, readLimits, refuseOthers } from './read-order.ts'

const FIELDS = ['agent', 'task', 'limits'] as const

const INPUT = jsonSchema<ModelInput>({
  type: 'object',
  properties: {
    agent: { type: 'string', description: 'The name of the agent.' },
    task: { type: 'string', description: 'What it is to do from here.' },
    limits: {
      type: 'object',
      description: 'Its own limits, lower than it has anyway, e.g. { "messages": "10", "cost": "0.20" }.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['agent', 'task'],
  additionalProperties: false,
})

/** Lets a model hand its conversation over to another agent, whose limits end only that agent's part. */
export function handoffTool({ saved }: Delegator, delegation: Delegation): DeclaredTool {
  return {
    declaration: { changes: true },
    tool: tool({
      description:
        'Hands this conversation over to another agent, which sees all of it, and returns its answer. If it reaches a ' +
        'limit of its own, you are told which and get what it has.',
      inputSchema: INPUT,
      async execute(input, { toolCallId, messages, abortSignal }) {
        refuseOthers(input, FIELDS, 'handoff')
        const { agent, task } = readAgentAndTask(input, '')
        const limits = [...limitsFor(saved.agent, agent), ...readLimits(input.limits)]
        const id = childOfCall(saved.id, toolCallId, timesCalled(messages, toolCallId))
        const order = { kind: 'single', agent, task, limits, conversation: messages } as const
        return delegation.run(id, order, abortSignal ?? new AbortController().signal)
      },
    }),
  }
}

/** The limits that the agent's file sets for handoffs to this agent. Runs of older versions have none. */
function limitsFor({ name, file, handoffs = null }: Agent, to: string): readonly ParsedLimits[] {
  if (handoffs === null) return []
  if (!Object.hasOwn(handoffs, to)) {
    const allowed = Object.keys(handoffs).join(', ')
    throw new ToolFailure(
      `You may not hand over to "${to}". ${allowed === '' ? 'Do it yourself.' : `Choose from ${allowed}.`}`,
    )
  }
  const place = file === null ? { call: `the agent "${name}"` } : { file }
  return [parseLimits(handoffs[to], { layer: 'call', field: `handoffs.${to}`, ...place })]
}
