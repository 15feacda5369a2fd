import { describe, expect, it } from 'vitest'
import { onlyTightens } from '../layers/only-tightens.ts'
import { resolveLimits } from '../layers/resolve-limits.ts'
import { parseAskAbove } from './parse-ask-above.ts'

const file = { layer: 'project', file: 'stint.config.yaml' } as const
const figures = (...layers: readonly ReturnType<typeof parseAskAbove>[]) =>
  resolveLimits(layers).limits.map(({ meter, max }) => [meter, max])

describe('askAbove', () => {
  it('accepts a number of agents and a cost, as an object or as command-line text', () => {
    const both = [
      ['cost', 2_000_000_000],
      ['spawns', 8],
    ]
    expect(figures(parseAskAbove({ agents: 8, cost: 2 }, file))).toEqual(both)
    expect(figures(parseAskAbove(['agents=8', 'cost=$2'], { layer: 'call', flag: '--ask-above' }))).toEqual(both)
    expect(figures(parseAskAbove({ agents: 0 }, file))).toEqual([['spawns', 0]])
  })

  it('from a later layer replaces an earlier one; from an untrusted file only if it asks sooner', () => {
    const user = parseAskAbove({ agents: 8, cost: 2 }, { layer: 'user', file: 'config.yaml' })
    expect(figures(user, parseAskAbove({ agents: 20 }, file))).toContainEqual(['spawns', 20])
    expect(figures(user, parseAskAbove({ agents: null }, file))).toEqual([['cost', 2_000_000_000]])
    const project = (input: object) => onlyTightens(parseAskAbove(input, file))
    expect(figures(user, project({ agents: 20, cost: null }))).toEqual(figures(user))
    expect(figures(user, project({ agents: 3 }))).toContainEqual(['spawns', 3])
  })

  it.each([
    [{ turns: 8 }, /askAbove.turns in stint.config.yaml: turns: 8 is neither a number of agents nor a cost/],
    [{ agents: { max: 8, action: 'warn' } }, /is neither a number of agents nor a cost/],
    [{ agents: 'lots' }, /"lots" is not a whole number/],
    [{ cost: 0 }, /askAbove.cost/],
    [['agents=8/day'], /Only a number of agents and a cost/],
    [['agents=8:warn'], /Only a number of agents and a cost/],
    [['tokens=8'], /Only a number of agents and a cost/],
    [8, /8 is neither a number of agents nor a cost\. Write \{ agents: 8, cost: 2 \}/],
  ])('refuses %j', (written, message) => {
    expect(() => parseAskAbove(written, file)).toThrow(message)
  })
})
