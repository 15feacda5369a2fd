import { jsonSchema, tool } from 'ai'
import { EVIDENCE_KINDS } from '../../agents/index.ts'
import type { DeclaredTool } from '../tools/declared-tool.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import { childOfCall, timesCalled } from './child-of-call.ts'
import type { Delegation } from './delegation.ts'
import type { Delegator } from './delegator.ts'
import { describeAgent, listAgents } from './describe-agents.ts'
import { type ModelInput, readOrder, refuseOthers } from './read-order.ts'

const ACTIONS = ['run', 'list', 'get', 'status', 'interrupt', 'resume'] as const
// Actions of other programs' tools of this name: only people may change agent files.
const FOR_PEOPLE = ['create', 'update', 'delete']

const LIMITS = {
  type: 'object',
  description: 'Lower limits than the agent has, e.g. { "toolCalls": "5", "cost": "0.20", "time": "2m" }.',
  additionalProperties: { type: 'string' },
} as const
const TEXTS = { type: 'array', items: { type: 'string' } } as const
const ACCEPTANCE = {
  type: 'object',
  description:
    'What must be true before its work counts as done; it has to report on each, and gets the work back if not.',
  properties: {
    criteria: { ...TEXTS, description: 'What must be true of the work.' },
    evidence: { type: 'array', items: { type: 'string', enum: [...EVIDENCE_KINDS] } },
    stopRules: { ...TEXTS, description: 'When it is to stop and say why.' },
    maxFinalizationTurns: { type: 'integer' },
  },
  additionalProperties: false,
} as const
const CHILD = {
  agent: { type: 'string', description: 'The name of the agent.' },
  task: { type: 'string', description: 'What it is to do. It sees nothing of this conversation.' },
  label: { type: 'string' },
  limits: LIMITS,
  acceptance: ACCEPTANCE,
} as const
const COUNT = { type: 'integer', description: 'How many agents get this task. Default: 1.' } as const
const TASKS = {
  type: 'array',
  items: { type: 'object', properties: { ...CHILD, count: COUNT }, required: ['agent', 'task'] },
} as const

const INPUT = jsonSchema<ModelInput>({
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: [...ACTIONS],
      description:
        'run (default): agent and task, tasks, or chain. list: the agents. get: one agent. status: what you have started, ' +
        'or one of it by id. interrupt: pause it. resume: continue what is paused, or wait for what runs.',
    },
    agent: CHILD.agent,
    task: CHILD.task,
    tasks: { ...TASKS, description: 'Several agents at once, instead of agent and task.' },
    chain: {
      type: 'array',
      description:
        'Agents one after the other, instead of agent and task. A task may use {previous}, and {outputs.NAME} of an ' +
        'earlier step with as: NAME. A step with parallel runs several at once.',
      items: {
        type: 'object',
        properties: { ...CHILD, as: { type: 'string' }, parallel: TASKS, concurrency: { type: 'integer' } },
      },
    },
    concurrency: { type: 'integer', description: 'How many of tasks run at once. Default: 4.' },
    failFast: { type: 'boolean', description: 'Whether the first that does not complete ends the others.' },
    limits: LIMITS,
    acceptance: ACCEPTANCE,
    async: { type: 'boolean', description: 'Do not wait for the result. It ends when you do: get it with resume.' },
    id: { type: 'string', description: 'For status, interrupt and resume.' },
  },
  additionalProperties: false,
})

/** Lets a model delegate parts of its work to other agents, which all spend from its budget. */
export function subagentTool({ saved, scope, found }: Delegator, delegation: Delegation): DeclaredTool {
  return {
    declaration: { changes: true, polls: true },
    tool: tool({
      description:
        'Gives work to other agents and returns their results. They share your budget; each result says what was spent ' +
        'and what is left. Leave enough for yourself to put the results together.',
      inputSchema: INPUT,
      async execute(input, { toolCallId, messages, abortSignal }) {
        const signal = abortSignal ?? new AbortController().signal
        const { action = 'run', id, agent } = input
        const known: readonly unknown[] = ACTIONS
        if (!known.includes(action)) throw unknownAction(String(action))
        if (action === 'run') {
          const order = readOrder(input)
          const child = childOfCall(saved.id, toolCallId, timesCalled(messages, toolCallId))
          return input.async === true ? delegation.begin(child, order) : delegation.run(child, order, signal)
        }
        if (action === 'list') return onlyWith(input, [], () => listAgents(found))
        if (action === 'get')
          return onlyWith(input, ['agent'], () => describeAgent(found, textOf('agent', agent), scope))
        const child = id === undefined && action === 'status' ? null : textOf('id', id)
        refuseOthers(input, ['action', 'id'], `subagent ${action}`)
        if (action === 'status') return delegation.status(child)
        if (action === 'interrupt') return delegation.interrupt(child!)
        return delegation.resume(child!, signal)
      },
    }),
  }
}

function onlyWith(input: ModelInput, names: readonly string[], answer: () => string): string {
  refuseOthers(input, ['action', ...names], `subagent ${input.action}`)
  return answer()
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new ToolFailure(`${name} is missing.`)
}

function unknownAction(action: string): ToolFailure {
  if (FOR_PEOPLE.includes(action)) {
    return new ToolFailure(`${action}: only people create and change agents (stint agents). Start an existing one.`)
  }
  return new ToolFailure(`${action} is not an action. The actions are ${ACTIONS.join(', ')}.`)
}
