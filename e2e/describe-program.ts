import { describe, expect, it } from 'vitest'
import type { ReportFile } from '../tests/integration/exec/start-exec.ts'
import { type AgentProgram, CLOSING } from './programs/agent-program.ts'
import { type ProgramStage, stageProgram } from './run-program.ts'

const NANO = 1_000_000_000
// The scripted provider counts its answers on.
const PROVIDER_ID = /_s\d{8}/g

/** What every program does under `stint exec`. */
export function describeProgram(program: AgentProgram): void {
  const { sideCalls = 0, unusedToolCalls = 0 } = program
  describe(`${program.name} under stint exec`, () => {
    const tools = 5 - unusedToolCalls
    it(`ends at turns=5 with a final answer: ${tools} tools ran, and one closing call was made`, async () => {
      const stage = await stageProgram(program)
      const end = await stage.exec(['--limit', 'turns=5'])
      expect(end.stdout.trim()).toBe(CLOSING)
      expect(end).toMatchObject(limitReached('toolCalls', tools + 1 + sideCalls))
      expect(end.report.usage).toMatchObject({
        toolCalls: { settled: tools },
        modelCalls: { settled: tools + 1 + sideCalls },
      })
      expect(stage.provider.book()).toMatchObject({ requests: tools + 1 + sideCalls, toolCalls: tools })
      expectSameMoney(stage, end.report)
      expect(stage.denials()).toBe(1)
    })

    const calls = 3 + sideCalls
    it(`makes exactly ${calls} model calls under modelCalls=${calls}, the last of them the closing one`, async () => {
      const stage = await stageProgram(program)
      const end = await stage.exec(['--limit', `modelCalls=${calls}`])
      expect(end.stdout.trim()).toBe(CLOSING)
      expect(end).toMatchObject(limitReached('modelCalls', calls))
      expect(stage.provider.book()).toMatchObject({ requests: calls, toolCalls: 2 })
      expectSameMoney(stage, end.report)
    })

    it(`never spends past cost=${program.costUsd}, works as long as it can, and ends with an answer`, async () => {
      const stage = await stageProgram(program)
      const end = await stage.exec(['--limit', `cost=${program.costUsd}`])
      expect(end.stdout.trim()).toBe(CLOSING)
      expect(end).toMatchObject(limitReached('cost', stage.provider.requestCount))
      expect(stage.provider.book().toolCalls).toBeGreaterThan(2)
      expect(stage.provider.book().costNanoUsd).toBeLessThanOrEqual(program.costUsd * NANO)
      expectSameMoney(stage, end.report)
    })

    it('does not try again where it is refused', async () => {
      const stage = await stageProgram(program)
      const end = await stage.exec(['--limit', 'turns=2', '--no-wrap-up'])
      expect(end).toMatchObject({ exitCode: 124, report: { status: 'limit-reached', hasWrappedUp: false } })
      expect(end.report).toMatchObject({ calls: 2 - unusedToolCalls + sideCalls })
      expect(stage.provider.requestCount).toBe(2 - unusedToolCalls + sideCalls)
      expect(stage.denials()).toBe(1)
      expectSameMoney(stage, end.report)
    })

    it('A14: sends and prints the same without limits as without Stint', async () => {
      const stage = await stageProgram(program, program.worksTwice)
      const end = await stage.exec([])
      expect(end).toMatchObject({ exitCode: 0, report: { status: 'completed', breach: null, calls, clamps: 0 } })
      expectSameMoney(stage, end.report)
      expect(await stage.runDirectly()).toMatchObject({ exitCode: 0, stdout: end.stdout })
      const bodies = bodiesOf(stage, program)
      expect(bodies).toHaveLength(2 * calls)
      expect(differences(sideFirst(bodies.slice(0, calls)), sideFirst(bodies.slice(calls)))).toEqual([])
    })

    it('I10: says loudly where not one call of it went through', async () => {
      const stage = await stageProgram(program)
      const end = await stage.exec(['--limit', 'turns=5'], [...program.command.slice(0, 1), '--version'])
      expect(end).toMatchObject({ exitCode: 0, report: { status: 'completed', calls: 0 } })
      expect(end.stderr).toContain('calls: 0 — no model call')
      expect(stage.provider.requestCount).toBe(0)
    })
  })
}

function limitReached(meter: string, calls: number): object {
  return {
    exitCode: 124,
    report: {
      status: 'limit-reached',
      exitCode: 124,
      commandEnd: { code: 0 },
      breach: { meter },
      calls,
      hasWrappedUp: true,
      lastText: CLOSING,
      leftRunning: [],
    },
  }
}

/** Provider and ledger agree to the nano-USD, and every model had a price. */
function expectSameMoney({ provider }: ProgramStage, report: Pick<ReportFile, 'usage'>) {
  const { costNanoUsd, entries, outcomes } = provider.book()
  expect(costNanoUsd).toBeGreaterThan(0)
  expect(report.usage.cost!.settled).toBe(costNanoUsd)
  expect(entries.filter(({ isPriced }) => !isPriced)).toEqual([])
  expect(outcomes.answered).toBe(entries.length)
}

function bodiesOf({ provider }: ProgramStage, { drift }: AgentProgram): readonly string[] {
  return provider.requests.map(({ body }) =>
    [PROVIDER_ID, ...drift].reduce((text, pattern) => text.replace(pattern, '…'), body.toString('utf8')),
  )
}

/** A call on the side goes out beside the first of the loop: which of them is seen first says nothing. */
function sideFirst(bodies: readonly string[]): readonly string[] {
  const isSide = (body: string): boolean => !body.includes('"tools":')
  return [...bodies.filter(isSide), ...bodies.filter((body) => !isSide(body))]
}

/** Where they differ: whole bodies are too long for anybody to read. */
function differences(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.flatMap((text, index) => {
    const other = others[index] ?? ''
    if (text === other) return []
    let at = 0
    while (text[at] === other[at]) at++
    const around = (whole: string): string => whole.slice(Math.max(0, at - 80), at + 80)
    return [`request ${index + 1}, at ${at}:\n${around(text)}\n${around(other)}`]
  })
}
