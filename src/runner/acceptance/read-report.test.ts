import { describe, expect, it } from 'vitest'
import { parseAcceptance } from '../../agents/index.ts'
import { checkReport } from './check-report.ts'
import { readReport } from './read-report.ts'

const problemsOf = (value: unknown): readonly string[] => {
  const read = readReport(JSON.stringify(value))
  return typeof read === 'string' ? [read] : read.problems
}

describe('a report', () => {
  it('has pi’s fields, with one field for every kind of evidence', () => {
    const report = {
      criteriaSatisfied: [{ id: 'a', status: 'satisfied', evidence: 'seen' }],
      changedFiles: ['a.ts'],
      testsAddedOrUpdated: [],
      commandsRun: [{ command: 'npm test', result: 'passed', summary: 'ok' }],
      validationOutput: ['3 passed'],
      residualRisks: [],
      noStagedFiles: true,
      diffSummary: 'one line',
      reviewFindings: [],
      manualNotes: 'none',
    }
    expect(readReport(JSON.stringify(report))).toEqual({ report, problems: [] })
    const evidence = [
      ...(['changed-files', 'tests-added', 'commands-run', 'validation-output', 'residual-risks'] as const),
      ...(['no-staged-files', 'diff-summary', 'review-findings', 'manual-notes'] as const),
    ]
    const contract = parseAcceptance({ criteria: [{ id: 'a', must: 'x' }], evidence })
    expect(checkReport(contract, report as never).problems).toEqual([])
    expect(checkReport(contract, {}).problems).toHaveLength(10)
  })

  it('with an invalid form is refused field by field', () => {
    expect(problemsOf([])).toEqual(['The report is not a JSON object.'])
    expect(readReport('{')).toBe('The report is not valid JSON.')
    expect(problemsOf({ changedFiles: 'a.ts', noStagedFiles: 'yes', diffSummary: 1 })).toEqual([
      'changedFiles must be a list of strings.',
      'noStagedFiles must be true or false.',
      'diffSummary must be a string.',
    ])
    expect(problemsOf({ criteriaSatisfied: [{ id: 'a', status: 'done' }] })[0]).toContain('"satisfied"')
    expect(problemsOf({ commandsRun: [{ command: 'x', result: 'ok' }] })[0]).toContain('"passed" | "failed"')
    expect(problemsOf({ changedFiles: [['a']] })).toHaveLength(1)
    expect(problemsOf({ changedFiles: Array(501).fill('a') })).toEqual(['changedFiles must be a list of at most 500.'])
  })

  it('does nothing harmful: a prototype, 10 MiB, deep nesting, foreign fields', () => {
    const read = readReport('{"__proto__":{"diffSummary":"forged"},"constructor":{},"diffSummary":null,"level":9}')
    expect(read).toEqual({ report: {}, problems: [] })
    expect((read as { report: { diffSummary?: string } }).report.diffSummary).toBeUndefined()
    expect(({} as { diffSummary?: string }).diffSummary).toBeUndefined()
    expect(readReport(`"${'x'.repeat(10 * 1024 * 1024)}"`)).toContain('longer than')
    expect(readReport('['.repeat(250_000))).toBe('The report is not valid JSON.')
    const deep = readReport(`{"changedFiles":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    expect(deep).toMatchObject({ report: {}, problems: ['changedFiles must be a list of strings.'] })
  })

  it('reports on the criteria of the contract: unknown ones are ignored, the last report on each counts', () => {
    const contract = parseAcceptance({
      criteria: ['x', { id: 'nice', must: 'y', severity: 'recommended', evidence: ['diff-summary'] }],
    })
    const said = (...statuses: string[]) => ({
      criteriaSatisfied: statuses.map((status) => ({ id: 'criterion-1', status, evidence: 'e' })),
    })
    expect(checkReport(contract, said('satisfied') as never).problems).toEqual([])
    expect(checkReport(contract, said('satisfied', 'not-satisfied') as never).problems).toHaveLength(1)
    expect(checkReport(contract, said('not-applicable') as never).problems).toEqual([
      'criterion-1 is not-applicable: x (e)',
    ])
    const blank = { criteriaSatisfied: [{ id: 'criterion-1', status: 'satisfied', evidence: ' ' }] } as const
    expect(checkReport(contract, blank).problems).toEqual(['criteriaSatisfied has no evidence for criterion-1: x'])
    const others = { criteriaSatisfied: [{ id: 'all', status: 'satisfied', evidence: 'e' }] } as const
    expect(checkReport(contract, others).problems).toEqual(['criteriaSatisfied has nothing about criterion-1: x'])
  })
})
