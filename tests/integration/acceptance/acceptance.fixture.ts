import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AcceptanceInput, Agent } from '../../../src/agents/index.ts'
import type { RunnerOptions, RunOptions, RunRequest, RunResult } from '../../../src/runner/index.ts'
import type { ScriptedTurn } from '../../../src/scripted/scripted-types.ts'
import { createScriptedLanguageModel, type ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { foundAgents } from '../groups/found-agents.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { createStage, type RunnerStage } from '../runner/runner.fixture.ts'

/** An answer with a report behind it. */
export const reporting = (report: unknown, text = 'Done.'): ScriptedTurn => ({
  text: `${text}\n\n\`\`\`acceptance-report\n${typeof report === 'string' ? report : JSON.stringify(report)}\n\`\`\``,
})

/** What an agent says that has met the one criterion of these tests. */
export const satisfied = { criteriaSatisfied: [{ id: 'criterion-1', status: 'satisfied', evidence: 'seen' }] }

export const bash = (command: string, id?: string): ScriptedTurn => ({
  toolCalls: [{ name: 'bash', arguments: { command }, ...(id === undefined ? {} : { id }) }],
})

/** The verdict of a reviewer. */
export const verdict = (word: 'accepted' | 'rejected', ...findings: string[]): ScriptedTurn => ({
  text: JSON.stringify({ verdict: word, findings }),
})

export interface AcceptanceStage extends RunnerStage {
  /** Of the run. Not the same in two tests: a run ends what processes of its id have left behind. */
  readonly id: string
  readonly model: ScriptedLanguageModel
  readonly judge: ScriptedLanguageModel
  run(acceptance: AcceptanceInput | undefined, more?: Partial<RunRequest>, options?: RunOptions): Promise<RunResult>
  /** What the agent was told, request by request. */
  told(request: number): string
}

/** An agent that makes these turns, and a reviewer that makes those. */
export function createAcceptanceStage(
  turns: readonly ScriptedTurn[],
  {
    review = [],
    agent = {},
    limits = {},
    reviewerLimits = {},
    files = {},
    ...options
  }: Partial<RunnerOptions> & {
    readonly review?: readonly ScriptedTurn[]
    readonly agent?: Partial<Agent>
    readonly limits?: Readonly<Record<string, unknown>>
    readonly reviewerLimits?: Readonly<Record<string, unknown>>
    readonly files?: Readonly<Record<string, string>>
  } = {},
): AcceptanceStage {
  const model = createScriptedLanguageModel(turns)
  const judge = createScriptedLanguageModel(review)
  const reviewer = agentFrom({ name: 'reviewer', model: 'judge', tools: [], completionGuard: false }, reviewerLimits)
  const stage = createStage({ first: model, judge }, files, { findAgents: foundAgents([reviewer]), ...options })
  const id = `job-${randomUUID().slice(0, 8)}`
  const worker = agentFrom({ completionGuard: false, ...agent }, limits)
  return {
    ...stage,
    id,
    model,
    judge,
    run: (acceptance, more = {}, options = {}) =>
      stage.runner.run(
        {
          agent: worker,
          task: 'Make the test pass.',
          workingFolder: stage.workingFolder,
          id,
          ...(acceptance === undefined ? {} : { acceptance }),
          ...more,
        },
        options,
      ),
    told: (request) => JSON.stringify(model.requests[request]?.prompt ?? null),
  }
}

export const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    // One that has ended and was not waited for yet is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
