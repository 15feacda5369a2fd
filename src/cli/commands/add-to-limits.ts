import { InvalidOptionError, type LedgerStore, type Limit, type ScopeReading } from '../../core/index.ts'
import { formatMaximum, type LimitEntry, type ParsedLimits, resolveLimits } from '../../policy/index.ts'
import { tagParsedLimits } from '../../policy/parsed-limits.ts'
import type { CommandContext } from '../command-context.ts'
import { changeLimits } from '../ledger/change-limits.ts'
import { limitName } from '../output/amount-text.ts'

/** How much more a scope is to have of one of its limits, as far as its ceilings and those of the config allow it. */
export interface Addition {
  readonly limit: Limit
  /** What it comes to. */
  readonly max: number
  /** As it was written: the knob that gives it more again. */
  readonly entry: SetEntry
}

type SetEntry = Extract<LimitEntry, { readonly kind: 'set' }>

/** Gives a scope more of what limits it, whoever runs it. */
export async function addToLimits(
  context: CommandContext,
  store: LedgerStore,
  scope: ScopeReading,
  additions: readonly Addition[],
): Promise<void> {
  if (additions.length === 0) return
  const entries = additions.map(({ entry, max }) => ({ ...entry, max }))
  const written = tagParsedLimits({ layer: 'call', entries, onLimit: null, nearing: null, timeZone: null })
  const change = { layers: [written], ceilings: [], by: context.by }
  await changeLimits(store, { scopeId: scope.id, ...change, nowMs: context.platform.nowMs })
}

/** The additions in the words of `--add`: what is added, not what it comes to. */
export function additionTexts(additions: readonly Addition[]): readonly string[] {
  return additions.map(({ entry, limit, max }) => limitInput(entry, max - limit.max))
}

/** Reads `--add`. Refuses more of what a scope has no limit of; says where a ceiling leaves less than was asked for. */
export function additionsTo(context: CommandContext, scope: ScopeReading, added: ParsedLimits): readonly Addition[] {
  // Ceilings are for runs: a team's day may have more than any of its runs.
  const configured = scope.kind === 'lasting' ? [] : resolveLimits(context.config().ceilings).ceilings
  const ceilings = [...scope.ceilings, ...configured]
  return added.entries.flatMap((entry) => {
    const { limit, max: asked, entry: set } = sumOf(scope, entry)
    const isSame = ({ meter, per }: Limit): boolean => meter === limit.meter && per === limit.per
    const max = Math.max(limit.max, Math.min(asked, ...ceilings.filter(isSame).map((ceiling) => ceiling.max)))
    if (max < asked) {
      const show = (amount: number): string => formatMaximum(limit.meter, amount)
      const cut = `${limitName(limit)}: ${show(asked)} was asked for, but a ceiling allows ${show(max)}.`
      context.platform.writeError(`stint: ${cut}\n`)
    }
    return max === limit.max ? [] : [{ limit, max, entry: set }]
  })
}

function sumOf({ path, limits }: ScopeReading, entry: LimitEntry): Addition {
  if (entry.kind !== 'set') throw new InvalidOptionError('--add', entry.meter, `an amount, e.g. ${entry.meter}=10`)
  const same = limits.find(({ limit }) => limit.meter === entry.meter && limit.per === entry.per)
  if (same === undefined) {
    const amount = `${limitName(entry)}=${formatMaximum(entry.meter, entry.max)}`
    throw new InvalidOptionError('--add', amount, `more of a limit that "${path}" has; without one there is no end`)
  }
  return { limit: same.limit, max: Math.min(Number.MAX_SAFE_INTEGER, same.limit.max + entry.max), entry }
}

function limitInput({ source, meter, per }: SetEntry, max: number): string {
  return `${source.written}=${formatMaximum(meter, max)}${per === null ? '' : `/${per}`}`
}
