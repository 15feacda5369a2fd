import { describe, expect, it } from 'vitest'
import { describeRemedy, describeSource } from '../core/limits/limit-source.ts'
import { PERIODS, type Period } from '../core/limits/window.ts'
import { METER_NAMES, METERS, type Meter, type Unit } from '../core/meter.ts'
import type { LimitsInput } from './formats/limits-input.ts'
import { parseAgentFields } from './formats/parse-agent-fields.ts'
import { parseExecutionLimits } from './formats/parse-execution-limits.ts'
import { parseLimits } from './formats/parse-limits.ts'
import { presetLayer, roleLayer } from './layers/preset-layer.ts'
import { PRESETS } from './layers/presets.ts'
import type { LayerInput } from './layers/read-layers.ts'
import { resolveLimits } from './layers/resolve-limits.ts'
import { allowsPeriod, LIMIT_ALIASES } from './limits/limit-names.ts'
import { parseLimit } from './limits/parse-limit.ts'

/** Everything that a person can change: files, a command line, variables, calls. */
interface World {
  readonly files: Record<string, unknown>
  readonly flags: string[]
  readonly variables: Record<string, string>
  readonly calls: Record<string, unknown>
}

interface Case {
  readonly title: string
  readonly meter: Meter
  readonly per: Period | null
  readonly world: World
  readonly resolve: (world: World) => readonly LayerInput[]
}

// Two values for each unit, as number and as text, inside every published range.
const VALUES: Readonly<
  Record<Unit, { numbers: [number, number]; texts: [string, string]; amounts: [number, number] }>
> = {
  count: { numbers: [50, 40], texts: ['50', '40'], amounts: [50, 40] },
  tokens: { numbers: [5000, 4000], texts: ['5k', '4k'], amounts: [5000, 4000] },
  nanoUsd: { numbers: [5, 4], texts: ['$5', '$4'], amounts: [5e9, 4e9] },
  milliseconds: { numbers: [5000, 4000], texts: ['5s', '4s'], amounts: [5000, 4000] },
}

const EMPTY: World = { files: {}, flags: [], variables: {}, calls: {} }
const WHOLE_NAMES = /Ms$|_ms$|^maxTokens$|^maxSubagentDepth$|^maxTurns$/

function textOf(name: string, meter: Meter): string {
  const { numbers, texts } = VALUES[METERS[meter].unit]
  return WHOLE_NAMES.test(name) ? String(numbers[0]) : texts[0]
}

/** The ways to write a limit in an object, with the period of each. */
function writings(name: string, meter: Meter): readonly [string, Period | null, LimitsInput][] {
  const number = VALUES[METERS[meter].unit].numbers[0]
  const text = `${name}=${textOf(name, meter)}`
  const plain: [string, Period | null, LimitsInput][] = [
    ['a number', null, { [name]: number }],
    ['details', null, { [name]: { max: number, action: 'pause' } }],
    ['an object in a list', null, [{}, { [name]: number }]],
    ['a text in a list', null, [text]],
  ]
  if (!allowsPeriod(meter)) return plain
  return [
    ...plain,
    ...PERIODS.map((per): [string, Period, LimitsInput] => [
      `details per ${per}`,
      per,
      { [name]: { max: number, per } },
    ]),
    [
      'a list of limits',
      'day',
      {
        [name]: [
          { max: number, per: 'month' },
          { max: number, per: 'day' },
        ],
      },
    ],
    ['a text with a period', 'day', [`${text}/day:pause`]],
  ]
}

function objectCases(name: string, meter: Meter): readonly Case[] {
  const lineOf = (field: string) => LINES.indexOf(field.split(/[.[]/, 1)[0]!) + 1
  return writings(name, meter).flatMap(([writing, per, limits]) => {
    const inFile = (layer: 'user' | 'project' | 'ceiling' | 'model'): Case => ({
      title: `${name} as ${writing} in a file (${layer})`,
      meter,
      per,
      world: { ...EMPTY, files: { 'stint.yaml': { limits: structuredClone(limits) } } },
      resolve: ({ files }) => {
        const written = (files['stint.yaml'] as { limits: LimitsInput }).limits
        return [{ layer, file: 'stint.yaml', field: 'limits', line: lineOf, limits: written }]
      },
    })
    const inCall: Case = {
      title: `${name} as ${writing} in a call`,
      meter,
      per,
      world: { ...EMPTY, calls: { 'governor.open': { limits: structuredClone(limits) } } },
      resolve: ({ calls }) => {
        const written = (calls['governor.open'] as { limits: LimitsInput }).limits
        return [parseLimits(written, { call: 'governor.open', field: 'limits' })]
      },
    }
    return [inFile('user'), inFile('project'), inFile('ceiling'), inFile('model'), inCall]
  })
}

const LINES = ['name', 'limits']

function textCases(name: string, meter: Meter): readonly Case[] {
  const periods = allowsPeriod(meter) ? [null, ...PERIODS] : [null]
  return periods.flatMap((per) => {
    const text = `${name}=${textOf(name, meter)}${per === null ? '' : `/${per}`}`
    return [
      {
        title: `${text} on the command line`,
        meter,
        per,
        world: { ...EMPTY, flags: [`--limit ${text}`] },
        resolve: ({ flags }: World) => flags.map((flag) => parseLimit(flag.slice('--limit '.length))),
      },
      {
        title: `${text} in the environment`,
        meter,
        per,
        world: { ...EMPTY, variables: { STINT_LIMIT: text } },
        resolve: ({ variables }: World) => [
          parseLimit(variables.STINT_LIMIT!, { layer: 'environment', variable: 'STINT_LIMIT' }),
        ],
      },
    ]
  })
}

function agentFileCase(format: 'pi' | 'claude-code' | 'stint', name: string, meter: Meter): Case {
  const fields = { name: 'slow', [name]: VALUES[METERS[meter].unit].numbers[0] }
  return {
    title: `${name} in a ${format} file`,
    meter,
    per: null,
    world: { ...EMPTY, files: { 'agents/slow.md': fields } },
    resolve: ({ files }) => [
      parseAgentFields(files['agents/slow.md'], {
        format,
        file: 'agents/slow.md',
        lineOf: (field) => (field === name ? 2 : undefined),
      }).limits,
    ],
  }
}

function executionLimitsCase(name: string, meter: Meter): Case {
  const limits = { [name]: VALUES[METERS[meter].unit].numbers[0] }
  return {
    title: `${name} in execution_limits`,
    meter,
    per: null,
    world: { ...EMPTY, calls: { Task: { execution_limits: limits } } },
    resolve: ({ calls }) => {
      const written = (calls.Task as { execution_limits: unknown }).execution_limits
      const parsed = parseExecutionLimits(written, { call: 'Task', field: 'execution_limits' })
      return [parsed.defaults, parsed.limits]
    },
  }
}

/** Limits that no person wrote: the remedy is to write one, under the name in the message. */
function unwrittenCases(): readonly Case[] {
  const inCall = (world: World) => parseLimits(world.calls['governor.open'] ?? {}, { call: 'governor.open' })
  const presets = PRESETS.flatMap(({ name, limits }) =>
    Object.keys(limits)
      .filter((key) => key !== 'onLimit')
      .map(
        (key): Case => ({
          title: `${key} of the preset ${name}`,
          meter: key as Meter,
          per: null,
          world: EMPTY,
          resolve: (world) => [presetLayer(name), inCall(world)],
        }),
      ),
  )
  const defaults = (['toolCalls', 'time', 'cost'] as const).flatMap((meter): Case[] => [
    {
      title: `${meter} of no role`,
      meter,
      per: null,
      world: EMPTY,
      resolve: (world) => [roleLayer('x'), inCall(world)],
    },
    {
      title: `${meter} of an execution_limits that leaves it out`,
      meter,
      per: null,
      world: EMPTY,
      resolve: (world) => {
        const { defaults: published, limits } = parseExecutionLimits(world.calls['governor.open'] ?? {})
        return [published, limits]
      },
    },
  ])
  return [...presets, ...defaults]
}

/** Follows the message literally. */
function turnTheKnob(world: World, place: string, remedy: string, limit: { meter: Meter; written: string }): World {
  const { numbers, texts } = VALUES[METERS[limit.meter].unit]
  const isWhole = WHOLE_NAMES.test(limit.written)
  const newText = isWhole ? String(numbers[1]) : texts[1]
  const flag = /^the flag (.+)$/.exec(place)?.[1]
  if (flag !== undefined && !remedy.includes('ceiling')) {
    const asked = /pass a larger value: (.+)$/.exec(remedy)![1]!
    expect(world.flags).toContain(flag)
    return { ...world, flags: world.flags.map((given) => (given === flag ? asked.replace('…', newText) : given)) }
  }
  const unwritten = /write (\S+) yourself/.exec(remedy)?.[1]
  if (unwritten !== undefined) return { ...world, calls: { 'governor.open': { [unwritten]: numbers[1] } } }
  const [, field = '', variable, call, file] =
    /^(\S+) in (?:the environment variable (.+)|the call of (.+)|(.+?)(?::\d+)?)$/.exec(place)!
  const copy = structuredClone(world)
  if (variable !== undefined) copy.variables[variable] = replaceValue(copy.variables[variable]!, newText)
  else if (call !== undefined) changeAt(copy.calls[call], field, numbers[1], newText)
  else changeAt(copy.files[file!], field, numbers[1], newText)
  return copy
}

function replaceValue(text: string, newValue: string): string {
  return text.replace(/=[^/:]*/, `=${newValue}`)
}

function changeAt(root: unknown, field: string, newNumber: number, newText: string): void {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '')
  const last = steps.pop()!
  const holder = steps.reduce((value, step) => value[step] as Record<string, unknown>, root as Record<string, unknown>)
  const old = holder[last]
  expect(old, `${field} leads to a value`).toBeDefined()
  holder[last] = typeof old === 'string' && old.includes('=') ? replaceValue(old, newText) : newNumber
}

function limitOf({ meter, per, resolve }: Case, world: World) {
  return resolveLimits(resolve(world)).limits.find((limit) => limit.meter === meter && limit.per === per)!
}

const CASES: readonly Case[] = [
  ...METER_NAMES.flatMap((meter) =>
    [meter, ...LIMIT_ALIASES[meter]].flatMap((name) => [...objectCases(name, meter), ...textCases(name, meter)]),
  ),
  agentFileCase('pi', 'maxTokens', 'uncachedTokens'),
  agentFileCase('pi', 'maxExecutionTimeMs', 'time'),
  agentFileCase('pi', 'maxSubagentDepth', 'depth'),
  agentFileCase('claude-code', 'maxTurns', 'modelCalls'),
  agentFileCase('stint', 'max_turns', 'toolCalls'),
  executionLimitsCase('max_turns', 'toolCalls'),
  executionLimitsCase('max_duration_ms', 'time'),
  executionLimitsCase('max_cost_usd', 'cost'),
  executionLimitsCase('max_total_cost_usd', 'cost'),
  executionLimitsCase('max_planning_cost_usd', 'planningCost'),
  executionLimitsCase('max_execution_cost_usd', 'executionCost'),
  ...unwrittenCases(),
]

describe('the remedy that a refusal names', () => {
  it(`G5: changes that limit, in all ${CASES.length} ways that a limit can be written`, () => {
    for (const testCase of CASES) {
      const before = limitOf(testCase, testCase.world)
      const { source, meter } = before
      const world = turnTheKnob(testCase.world, describeSource(source), describeRemedy(source), {
        meter,
        written: source.written,
      })
      const after = limitOf(testCase, world)
      const expected = VALUES[METERS[meter].unit].amounts[1]
      expect({ case: testCase.title, max: after.max }).toEqual({ case: testCase.title, max: expected })
      expect(before.max).not.toBe(expected)
    }
  })

  it('G5: covers every meter and every kind of source', () => {
    const limits = CASES.map((testCase) => limitOf(testCase, testCase.world))
    expect(new Set(limits.map(({ meter }) => meter))).toEqual(new Set(METER_NAMES))
    const layers = ['defaults', 'preset', 'user', 'project', 'environment', 'call', 'ceiling', 'model']
    expect(new Set(limits.map(({ source }) => source.layer))).toEqual(new Set(layers))
  })
})
