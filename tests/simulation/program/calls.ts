import type { CallOutcome, Scope } from '../../../src/governor/index.ts'
import { MODELS } from '../provider/prices.ts'
import { TOKENS, vectorFrom, zeros } from '../witness/meters.ts'
import { spend } from '../witness/spend.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import { type Conversation, delegate } from './agent.ts'
import { ToolError } from './expected-errors.ts'
import { type ModelCallOfAgent, orFail, type Stage } from './stage.ts'

/** A model call of any size, patient or not. */
function drawModelCall({ world: { dice } }: Stage): ModelCallOfAgent {
  return {
    model: dice.pick(MODELS),
    inputTokens: dice.whole(50, 2_000),
    maxOutputTokens: dice.whole(1, 4_000),
    ...(dice.chance(0.15) ? { waitMs: dice.pick([0, 2_000]) } : {}),
    ...(dice.chance(0.2) ? { phase: dice.pick(['planning', 'execution'] as const) } : {}),
  }
}

export function callModel(stage: Stage, process: SimulatedProcess, scope: Scope): Promise<CallOutcome<unknown>> {
  const call = drawModelCall(stage)
  return pending(stage, process, scope, (letIn) =>
    scope.callModel(call, (grant) => {
      letIn()
      stage.onCall(process)
      return stage.provider.send(process, call, grant)
    }),
  )
}

/** Counts a call while it is asked for and not let in. */
async function pending<Value>(
  { witness }: Stage,
  process: SimulatedProcess,
  scope: Scope,
  ask: (letIn: () => void) => Promise<Value>,
): Promise<Value> {
  let isPending = true
  process.pendingCalls++
  const end = (): void => {
    if (isPending) process.pendingCalls--
    isPending = false
  }
  try {
    return await ask(end)
  } finally {
    end()
    for (const [id, waiter] of witness.waiters) if (waiter.scope.id === scope.id) witness.waiters.delete(id)
  }
}

/** The closing call. */
export function wrapUp(stage: Stage, process: SimulatedProcess, scope: Scope): Promise<CallOutcome<unknown>> {
  const call = { ...drawModelCall(stage), maxOutputTokens: 1_000 }
  return scope.callWrapUp(call, (grant) => {
    stage.onCall(process)
    return stage.provider.send(process, call, grant)
  })
}

/** A tool that takes its time, heeds its signal or not, fails now and then, and may itself delegate. */
export function callTool(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<CallOutcome<unknown>> {
  const { dice } = stage.world
  const tool = { name: 'tool', changes: dice.chance(0.3), ...(dice.chance(0.1) ? { timeoutMs: 1_500 } : {}) }
  const run = async (signal: AbortSignal): Promise<string> => {
    stage.onCall(process)
    orFail(stage, () => noteToolRun(stage, process, scope))
    if (talk.depth < 2 && dice.chance(0.1)) await delegate(stage, process, scope, talk)
    else await sleep(process, dice.whole(10, 2_500))
    if (signal.aborted && dice.chance(0.5)) throw new ToolError('the tool was stopped')
    if (dice.chance(0.1)) throw new ToolError('the tool failed')
    return 'done'
  }
  return pending(stage, process, scope, (letIn) =>
    scope.callTool(tool, ({ signal }) => {
      letIn()
      return run(signal)
    }),
  )
}

/** A tool run belongs to the tool call of its scope that was let in last and has not run yet. */
function noteToolRun({ witness }: Stage, process: SimulatedProcess, scope: Scope): void {
  const record = [...witness.reservations.values()].findLast(({ scope: at, holder, amounts, isUsed, state }) => {
    const isOpen = state === 'open' || state === 'assumed'
    return at.id === scope.id && holder === process.holder && amounts[0] === 1 && !isUsed && isOpen
  })
  demand(record !== undefined, 'law 7', () => `a tool runs in ${scope.id}, and nothing is reserved for it`)
  const one = vectorFrom({ toolCalls: 1 })
  record!.isUsed = true
  record!.expected = { kind: 'exact', amounts: one }
  spend(record!, one, zeros())
}

/** Something that the agent reserves, does and settles by itself, or gives back undone. */
export async function reserveByHand(stage: Stage, process: SimulatedProcess, scope: Scope): Promise<void> {
  const { dice } = stage.world
  const tokens = dice.whole(1, 5_000)
  const outputTokens = dice.whole(0, 1_000)
  const cost = dice.chance(0.5) ? dice.whole(1, 10_000_000) : 0
  const planningCost = dice.chance(0.2) ? dice.whole(0, cost) : 0
  const waitMs = dice.pick([0, 3_000])
  const asked = {
    tokens,
    outputTokens,
    ...(cost === 0 ? {} : { cost }),
    ...(planningCost === 0 ? {} : { planningCost }),
  }
  const room = await pending(stage, process, scope, () => scope.reserve(asked, { waitMs }))
  if (room.kind === 'refused') return
  const record = stage.witness.reservations.get(room.id)!
  await sleep(process, dice.whole(10, 800))
  if (dice.chance(0.2)) return room.release()
  // What it does not know, or knows wrongly, of its output is charged as it was reserved.
  const reported = dice.pick([undefined, Number.NaN, 'many', -1, dice.whole(0, outputTokens)])
  const isKnown = typeof reported === 'number' && reported >= 0
  const money = spendByHand(stage, cost, planningCost)
  const used = vectorFrom({
    tokens: dice.whole(0, tokens),
    outputTokens: isKnown ? reported : outputTokens,
    ...money.charged,
  })
  record.isUsed = true
  record.expected = { kind: 'exact', amounts: used }
  orFail(stage, () => spend(record, used, zeros()))
  const output = reported === undefined ? {} : { outputTokens: reported }
  await room.settle({ tokens: used[TOKENS]!, ...output, ...money.reported })
}

/** What was spent of a cost that was reserved by hand. One of two phases is told apart, or charged as it was reserved. */
function spendByHand({ world: { dice } }: Stage, cost: number, planningCost: number) {
  const spent = dice.whole(0, cost)
  if (planningCost === 0) return { reported: { cost: spent }, charged: { cost: spent, executionCost: spent } }
  if (planningCost === cost) return { reported: { cost: spent }, charged: { cost: spent, planningCost: spent } }
  const planned = dice.whole(Math.max(0, spent - (cost - planningCost)), Math.min(spent, planningCost))
  const both = { planningCost, executionCost: cost - planningCost }
  if (dice.chance(0.5)) return { reported: { cost: spent }, charged: { cost: spent, ...both } }
  const charged = { cost: spent, planningCost: planned, executionCost: spent - planned }
  return { reported: { cost: spent, planningCost: planned }, charged }
}
