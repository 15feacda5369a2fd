import * as z from 'zod/mini'
import { showValue } from '../../core/index.ts'
import { fieldName } from '../../documents/index.ts'
import {
  type ParsedLimits,
  type ParseOptions,
  parseAskAbove,
  parseExecutionLimits,
  parseLimits,
  type SharedLimits,
} from '../../policy/index.ts'
import { commandFor } from '../../policy/limits/command-for.ts'
import { askAboveSchema } from '../../policy/schema/ask-above-schema.ts'
import { collectProblems } from '../collect-problems.ts'
import { problemAt } from '../problem-at.ts'
import { object, parsedElsewhere, record, refused } from '../schema-forms.ts'
import { type Reading, setting } from '../setting.ts'
import { scopeNameProblem } from './scope-name-problem.ts'

const MOST_BUDGETS = 1000
const LIMITS_FORM = parsedElsewhere({ $ref: '#/$defs/limitsInput' }, 'e.g. { cost: 100 }')

// `limits`, `execution_limits`, `onLimit` and `timeZone` mean something only together: readRunLimits reads them.
const asWritten = { none: undefined, read: (written: unknown): unknown => written }

export const LIMITS = setting({
  schema: LIMITS_FORM,
  description: 'The [limits](limits.md) of runs, in any of their forms',
  twoFiles: 'per meter and period, the later one',
  untrusted: 'only those that tighten',
  ...asWritten,
})

export const EXECUTION_LIMITS = setting({
  schema: parsedElsewhere({ $ref: '#/$defs/execution_limits' }, 'e.g. { max_turns: 25 }'),
  description:
    'The limits of runs in the [published form](limits.md#forms), with its defaults for what it leaves out; its `team_budget_usd` and `user_budget_usd` are limits on the [budgets](../how-to/give-a-team-a-budget.md) of `team` and `user`',
  twoFiles: 'as `limits`',
  untrusted: 'only those that tighten; a team’s or user’s budget then only bounds the run itself',
  ...asWritten,
})

export const ON_LIMIT = setting({
  schema: parsedElsewhere({ $ref: '#/$defs/action' }, 'e.g. terminate'),
  description:
    'The action of limits without one, in this file and in weaker layers: `terminate`, `pause`, `warn` or `ask`',
  twoFiles: 'the later one',
  untrusted: 'only turns warnings into stops',
  ...asWritten,
})

export const TIME_ZONE = setting({
  schema: parsedElsewhere({ $ref: '#/$defs/timeZone' }, 'e.g. Europe/Berlin'),
  description: 'The time zone of limits without one',
  twoFiles: 'the later one',
  untrusted: 'ignored',
  ...asWritten,
})

export const CEILINGS = setting({
  schema: LIMITS_FORM,
  description: 'The highest values that limits of a run can have; they only tighten',
  twoFiles: 'both; the tighter applies',
  untrusted: 'those that stop',
  none: [],
  read: (written, reading): readonly ParsedLimits[] => limitsAt('ceilings', written, reading, { layer: 'ceiling' }),
})

export const ASK_ABOVE = setting({
  schema: parsedElsewhere(askAboveSchema({ allowFalse: false }), 'e.g. { agents: 8, cost: 2 }'),
  description:
    'How many agents a run may start, and what they may cost at most, before it [asks](../how-to/run-many-agents.md#ask-before-it-gets-large): `agents` and `cost`',
  twoFiles: 'each of the two, the later one',
  untrusted: 'only asks earlier',
  none: [],
  read: (written, reading): readonly ParsedLimits[] =>
    collectProblems(reading.problems, () => [parseAskAbove(written, optionsAt('askAbove', reading))]) ?? [],
})

const BUDGETS_FORM = 'e.g. { "team:core": { limits: { cost: { max: 100, per: day } } } }'

export const BUDGETS = setting({
  schema: record(
    z
      .string()
      .check(
        z.refine((key) => scopeNameProblem(key) === null, { error: ({ input }) => scopeNameProblem(String(input)) }),
      ),
    object({ limits: LIMITS_FORM }, refused),
    MOST_BUDGETS,
    refused(`a set of at most ${MOST_BUDGETS} budgets`, BUDGETS_FORM),
  ),
  description:
    'Lasting scopes by name, each with its `limits`. `stint budget set` writes them into the ledger; ceilings do not apply to them',
  twoFiles: 'per meter and period, the later one',
  isByName: true,
  allows: (value, name) =>
    `gives the budget ${name} the limits ${JSON.stringify((value as { limits?: unknown })?.limits)}`,
  none: new Map(),
  read(written, reading): ReadonlyMap<string, ParsedLimits> {
    const budgets = Object.entries(written).flatMap(([key, { limits }]) => {
      const command = commandFor('stint budget set', key)
      const read = limitsAt(`${fieldName('budgets', key)}.limits`, limits, reading, { command })
      return read.map((parsed) => [key, parsed] as const)
    })
    return new Map(budgets)
  },
})

/** A file's limits for runs. */
export interface RunLimits {
  /** The limits of runs, and the defaults next to them. */
  readonly limits: readonly ParsedLimits[]
  /** `team_budget_usd` and `user_budget_usd` of `execution_limits`. */
  readonly shared: SharedLimits
}

interface WrittenRunLimits {
  readonly limits: unknown
  readonly execution_limits: unknown
  readonly onLimit: unknown
  readonly timeZone: unknown
}

/** Reads the limits of runs: `limits` or `execution_limits`, with `onLimit` and `timeZone` next to them. */
export function readRunLimits(written: WrittenRunLimits, reading: Reading): RunLimits {
  const { limits, execution_limits: published, ...defaults } = written
  const beside = limitsAt(undefined, defaults, reading)
  const inside = limits === undefined ? [] : limitsAt('limits', limits, reading)
  const options = optionsAt('execution_limits', reading)
  const execution =
    published === undefined ? null : collectProblems(reading.problems, () => parseExecutionLimits(published, options))
  for (const outer of beside) for (const inner of inside) refuseTwice(outer, inner, reading)
  if (reading.problems.length > 0) return { limits: [], shared: { team: [], user: [] } }
  // One layer, so that `onLimit` applies to the limits next to it.
  const all = limitsAt(undefined, [...beside, ...inside, ...(execution === null ? [] : [execution.limits])], reading)
  return {
    limits: execution === null ? all : [execution.defaults, ...all],
    shared: { team: present(execution?.team), user: present(execution?.user) },
  }
}

function present(limits: ParsedLimits | null | undefined): readonly ParsedLimits[] {
  return limits === null || limits === undefined ? [] : [limits]
}

/** If both are written, one of them would be ignored. */
function refuseTwice(outer: ParsedLimits, inner: ParsedLimits, { document, problems }: Reading): void {
  const refuse = (field: string, here: string, inside: string): void => {
    if (here === inside) return
    const message = `${showValue(here)} here and ${showValue(inside)} in limits are two different values. Keep one.`
    problems.push(problemAt(document, [field], here, message))
  }
  if (outer.onLimit !== null && inner.onLimit !== null) refuse('onLimit', outer.onLimit.action, inner.onLimit.action)
  if (outer.timeZone !== null && inner.timeZone !== null) refuse('timeZone', outer.timeZone.name, inner.timeZone.name)
}

/** The limits in a field: one set, or none and problems. */
function limitsAt(
  field: string | undefined,
  value: unknown,
  at: Reading,
  more?: ParseOptions,
): readonly ParsedLimits[] {
  return collectProblems(at.problems, () => [parseLimits(value, { ...optionsAt(field, at), ...more })]) ?? []
}

function optionsAt(field: string | undefined, { document, layer }: Reading): ParseOptions {
  return { layer, file: document.file, line: (name) => document.lineOf(name), field }
}
