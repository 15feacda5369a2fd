import { describe, expect, it } from 'vitest'
import type { ChainInput } from './chain.ts'
import type { InvalidChainError } from './invalid-chain-error.ts'
import { parseChain } from './parse-chain.ts'

/** The problems of a chain, each with its field. */
function problemsOf(input: unknown): readonly string[] {
  try {
    parseChain(input as ChainInput)
    return []
  } catch (error) {
    return (error as InvalidChainError).problems.map(({ field, message }) => `${field}: ${message}`)
  }
}

const first = { agent: 'a', as: 'plan' }
const expand = { from: { output: 'plan', path: '/files' } }

describe('a chain', () => {
  it('has sequential, parallel and fan-out steps, with defaults', () => {
    const chain = parseChain({
      name: 'review',
      steps: [
        first,
        { parallel: [{ agent: 'b' }, { agent: 'c', task: 'Look', count: 3 }], concurrency: 2, failFast: true },
        { expand, parallel: { agent: 'b', task: '{item.path}' }, collect: { as: 'all' } },
      ],
    })
    expect(chain.steps).toMatchObject([
      { kind: 'sequential', child: { agent: 'a', task: '{task}', as: 'plan', count: 1, output: null } },
      { kind: 'parallel', children: [{ task: '{previous}' }, { count: 3 }], concurrency: 2, failFast: true },
      { kind: 'expand', expand: { item: 'item', maxItems: 50, onEmpty: 'skip', key: null }, failFast: false },
    ])
    expect(chain).toMatchObject({ name: 'review', source: 'call', file: null, limits: [] })
  })

  it('may use pi’s name for its steps', () => {
    const input = { name: 'x', description: 'y', chain: [first] } as unknown as ChainInput
    expect(parseChain(input).steps).toHaveLength(1)
    expect(problemsOf({ chain: [first], steps: [first] })).toEqual([expect.stringContaining('two names of one list')])
  })

  it('H2: refuses unknown, forward and duplicate names of outputs', () => {
    expect(problemsOf({ steps: [first, { agent: 'b', task: '{outputs.plann}' }] })).toEqual([
      'steps[1].task: {outputs.plann}: no step before has an output called "plann". Did you mean "plan"?',
    ])
    expect(problemsOf({ steps: [{ agent: 'b', task: '{outputs.plan}' }, first] })).toEqual([
      'steps[0].task: {outputs.plan}: step 2 provides it, and that is not before this one.',
    ])
    expect(problemsOf({ steps: [first, first] })).toEqual([
      'steps[1].as: Step 1 also has an output called "plan". Rename one of them.',
    ])
    const itself = { parallel: [first, { agent: 'b', task: '{outputs.plan}' }] }
    expect(problemsOf({ steps: [itself] })).toEqual([expect.stringContaining('step 1 provides it')])
    expect(
      problemsOf({ steps: [{ expand, parallel: { agent: 'b', task: '{item}' }, collect: { as: 'all' } }] }),
    ).toEqual([expect.stringContaining('steps[0].expand.from.output: no step before has an output called "plan"')])
  })

  it('H2: refuses unknown names in templates, and says how to write them as text', () => {
    expect(problemsOf({ steps: [{ agent: 'a', task: '{tsak} {"json": {}} {{item}} { x }' }] })).toEqual([
      'steps[0].task: {tsak}: nothing has this name. Did you mean {task}? To write it as text: {{tsak}}.',
    ])
    expect(problemsOf({ steps: [{ agent: 'a', task: '{previous}' }] })).toEqual([
      'steps[0].task: {previous}: the first step has no previous step.',
    ])
    expect(problemsOf({ steps: [{ agent: 'a', task: '{item.x}' }] })).toEqual([
      expect.stringContaining('there is no item outside of a fan-out'),
    ])
    expect(problemsOf({ steps: [{ agent: 'a', task: '{outputs} {task.x}' }] })).toEqual([
      expect.stringContaining('say which, e.g. {outputs.plan}'),
      expect.stringContaining('{task} is text and has no parts'),
    ])
  })

  it.each([
    [{ steps: [] }, 'steps: steps is a list of 1 to 250'],
    [{ steps: 'a' }, 'steps: steps is a list'],
    [{}, 'steps: steps is a list'],
    [{ steps: [{ task: 'x' }] }, 'steps[0]: The agent is missing'],
    [{ steps: [{ agent: 'a', taks: 'x' }] }, 'steps[0].taks: "taks" is not a field of a step. Did you mean "task"?'],
    [{ steps: [first], concurency: 3 }, 'concurency: "concurency" is not a field of a chain'],
    [{ steps: [{ ...first, count: 2 }] }, 'steps[0].count: For several agents, write a parallel step'],
    [{ steps: [{ parallel: [first], concurrency: 0 }] }, 'steps[0].concurrency: 0'],
    [
      {
        steps: [
          {
            parallel: [
              { agent: 'a', count: 900 },
              { agent: 'b', count: 900 },
            ],
          },
        ],
      },
      'It would start 1800 agents',
    ],
    [{ steps: [{ ...first, acceptance: {} }] }, 'steps[0].acceptance: an object must be a contract'],
    [{ steps: [{ ...first, limits: { tokens: '0' } }] }, 'steps[0].limits.tokens'],
    [{ steps: [{ ...first, as: '__proto__' }] }, 'steps[0].as: "__proto__"'],
    [{ steps: [{ ...first, output: '../x' }] }, 'steps[0].output: "../x"'],
    [{ steps: [{ ...first, outputSchema: 'x.json' }] }, 'steps[0].outputSchema: The schema cannot be read'],
    [{ steps: [first, { expand, collect: { as: 'x' } }] }, 'steps[1].parallel: undefined is not what one agent does'],
    [
      { steps: [first, { expand, parallel: { agent: 'b' }, collect: { as: 'x' } }] },
      'The task for each item is missing',
    ],
    [
      {
        steps: [
          first,
          { expand: { ...expand, maxItems: 1e6 }, parallel: { agent: 'b', task: 'x' }, collect: { as: 'x' } },
        ],
      },
      'steps[1].expand.maxItems: 1000000',
    ],
    [
      {
        steps: [
          first,
          { expand: { ...expand, item: 'task' }, parallel: { agent: 'b', task: 'x' }, collect: { as: 'x' } },
        ],
      },
      '{task} already means something else',
    ],
    [{ steps: [first], timeoutMs: 100, maxRuntimeMs: 200 }, 'aliases of one limit'],
  ])('refuses %j', (input, message) => {
    expect(problemsOf(input).join('\n')).toContain(message)
  })

  it('refuses 10,000 steps, and circular input, quickly', () => {
    const cycle: Record<string, unknown> = { agent: 'a' }
    cycle.outputSchema = { type: 'object', properties: cycle }
    const startedMs = performance.now()
    expect(problemsOf({ steps: Array.from({ length: 10_000 }, () => first) })).toEqual([
      expect.stringContaining('It has 10000 entries.'),
    ])
    expect(problemsOf({ steps: [cycle] })).toEqual([expect.stringContaining('steps[0].outputSchema')])
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  })

  it('refuses steps that could start more agents together than a chain can', () => {
    const step = { parallel: [{ agent: 'a', task: 'go', count: 1_000 }] }
    expect(problemsOf({ steps: Array.from({ length: 5 }, () => step) })).toEqual([])
    expect(problemsOf({ steps: Array.from({ length: 6 }, () => step) })).toEqual([
      expect.stringContaining('Its steps could start 6000 agents, and a chain can start 5000. Lower count or maxItems'),
    ])
  })

  it('lists every problem at once', () => {
    const message = 'The chain "review" cannot be used: 2 problems.'
    const input = { name: 'review', steps: [{ agent: 'a', task: '{x}', model: 'two words' }] }
    expect(() => parseChain(input)).toThrow(message)
    expect(problemsOf(input)).toHaveLength(2)
  })
})
