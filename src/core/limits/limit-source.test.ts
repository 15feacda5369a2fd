import { describe, expect, it } from 'vitest'
import { describeRemedy, describeRemedyForClient, describeSource, type LimitSource } from './limit-source.ts'

const cost = { layer: 'call', written: 'cost' } as const satisfies LimitSource

describe('describeSource', () => {
  it.each<[LimitSource, string]>([
    [{ ...cost, flag: '--limit cost=10/day' }, 'the flag --limit cost=10/day'],
    [{ ...cost, layer: 'project', file: 'stint.yaml', line: 12, field: 'limits.cost' }, 'limits.cost in stint.yaml:12'],
    [{ ...cost, layer: 'project', file: 'stint.yaml' }, 'cost in stint.yaml'],
    [{ ...cost, layer: 'environment', variable: 'STINT_LIMIT' }, 'cost in the environment variable STINT_LIMIT'],
    [{ ...cost, layer: 'preset', preset: 'qa', field: 'cost' }, 'the preset qa'],
    [{ ...cost, call: 'governor.open', field: 'limits.cost' }, 'limits.cost in the call of governor.open'],
    [{ ...cost, layer: 'defaults' }, 'the default for cost'],
    [{ ...cost, layer: 'grant' }, 'cost (grant)'],
    [{ ...cost, layer: 'grant', flag: '--limit cost=1' }, 'the flag --limit cost=1, and raised by an approval'],
  ])('of %j is "%s"', (source, phrase) => {
    expect(describeSource(source)).toBe(phrase)
  })
})

describe('a place with control characters', () => {
  it('is shown on one line, whichever part contains them', () => {
    const hostile = 'a\nb\u001b[0m'
    const parts: Partial<LimitSource>[] = [
      { flag: hostile },
      { file: hostile },
      { file: 'x', field: hostile },
      { variable: hostile },
      { preset: hostile },
      { call: hostile },
      { written: hostile },
    ]
    for (const part of parts) {
      const source = { ...cost, ...part }
      expect(describeSource(source)).not.toMatch(/\p{Cc}/u)
      expect(describeRemedy(source)).not.toMatch(/\p{Cc}/u)
    }
    expect(describeSource({ ...cost, file: hostile })).toBe('cost in a\\u000ab\\u001b[0m')
  })
})

describe('describeRemedy', () => {
  it('suggests the same flag with its period and another value', () => {
    const remedy = 'To allow more, pass a larger value: '
    expect(describeRemedy({ ...cost, flag: '--limit cost=10/day:warn' })).toBe(`${remedy}--limit cost=…/day:warn`)
    expect(describeRemedy({ ...cost, flag: '--limit=cost=10' })).toBe(`${remedy}--limit=cost=…`)
    expect(describeRemedy({ ...cost, flag: '--budget 10' })).toBe(`${remedy}--budget …`)
  })

  it('names the command that changes it if the command with the flag has finished', () => {
    const source = { ...cost, flag: '--limit cost=10/day', command: 'stint budget raise team:core' }
    expect(describeRemedy(source)).toBe(
      'To allow more: stint budget raise team:core --limit cost=…/day (or ask the person who manages this budget).',
    )
    expect(describeSource(source)).toBe('the flag --limit cost=10/day')
  })

  it('names the command that brings a budget of a config into the ledger', () => {
    const place = { file: 'stint.config.yaml', line: 4, field: 'budgets."team:core".limits.cost' }
    const source = { ...cost, layer: 'user', ...place, command: 'stint budget set team:core' } as const
    expect(describeRemedy(source)).toBe(
      'To allow more, change budgets."team:core".limits.cost in stint.config.yaml:4, then: stint budget set team:core (or ask the person who manages this budget).',
    )
  })

  it('does not suggest asking someone else about a run’s own limit', () => {
    const source = { ...cost, flag: '--limit cost=10', command: 'stint raise run-1' }
    expect(describeRemedy(source)).toBe('To allow more: stint raise run-1 --limit cost=…')
  })

  it('refers the client of a shared gateway to its operator, with the command to run', () => {
    const raised = { ...cost, flag: '--limit cost=10/day', command: 'stint budget raise team:core' }
    expect(describeRemedyForClient(raised)).toBe(
      'To allow more, ask the operator of this gateway (stint budget raise team:core --limit cost=…/day).',
    )
    expect(describeRemedyForClient({ ...cost, call: 'governor.budget' })).toBe(
      'To allow more, ask the operator of this gateway.',
    )
  })

  it('says whom to ask about a ceiling, and which limit a model lowered', () => {
    const ceiling = describeRemedy({ ...cost, layer: 'ceiling', file: 'operator.yaml', field: 'cost' })
    expect(ceiling).toBe("It is an operator's ceiling: ask the person who maintains cost in operator.yaml.")
    const model = describeRemedy({ ...cost, layer: 'model', call: 'subagent', field: 'limits.cost' })
    expect(model).toBe('A model lowered it: to allow more, change limits.cost in the call of subagent.')
  })

  it('says how to override a default', () => {
    expect(describeRemedy({ ...cost, layer: 'preset', preset: 'qa' })).toContain('write cost yourself')
    expect(describeRemedy({ ...cost, layer: 'defaults' })).toContain('write cost yourself')
  })
})
