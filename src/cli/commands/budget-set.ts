import {
  assertScopeName,
  InvalidOptionError,
  type LedgerStore,
  type ScopeReading,
  StintError,
  suggestName,
} from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { type ParsedLimits, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { changeLimits } from '../ledger/change-limits.ts'
import { findBudget } from '../ledger/find-budget.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import type { Report } from '../output/report.ts'
import { scopeJson } from '../output/scope-json.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { limitLines } from './limit-changes.ts'
import { commandFor, limitsFromFlags } from './limits-from-flags.ts'

interface LimitOptions {
  readonly limit?: readonly string[]
  readonly timeZone?: string
  /** The team that a user's budget is within. */
  readonly within?: string
}

/** `stint budget set [KEY]`: from the flags, on top of what the config says of this budget. */
export async function setBudgets(
  context: CommandContext,
  key: string | undefined,
  { limit = [], timeZone, within }: LimitOptions,
): Promise<Report> {
  const { budgets } = context.config()
  sayLeftOut(context, leftOutOfConfig(context, ['budgets', 'store']))
  if (key === undefined && (limit.length > 0 || timeZone !== undefined || within !== undefined)) {
    throw new InvalidOptionError('stint budget set', undefined, 'given a KEY when it is given limits, e.g. team:core')
  }
  const flagsFor = (each: string): readonly ParsedLimits[] =>
    limit.length === 0 && timeZone === undefined ? [] : [limitsFromFlags(limit, timeZone, raiseCommand(each))]
  const keys = key === undefined ? [...budgets.keys()] : [key]
  if (keys.length === 0) throw noLimits(undefined, [])
  const planned = keys.map((each) => ({ key: each, layers: [...(budgets.get(each) ?? []), ...flagsFor(each)] }))
  for (const { key: each, layers } of planned) {
    assertScopeName(each)
    if (layers.every(({ entries }) => entries.length === 0)) throw noLimits(each, [...budgets.keys()])
  }
  const store = await context.store({ create: true })
  await refuseInsideLedger(context, store, 'Setting a budget')
  const written: ScopeReading[] = []
  const parent = within === undefined ? null : (await findBudget(store, within, context.platform.nowMs())).id
  for (const { key: each, layers } of planned) written.push(await writeBudget(context, store, each, layers, parent))
  return reportOf(await withAssumed(store, written, context.platform.nowMs()))
}

/** `stint budget raise KEY`. */
export async function raiseBudget(
  context: CommandContext,
  key: string,
  { limit = [], timeZone }: LimitOptions,
): Promise<Report> {
  const { platform, by } = context
  const layers = [limitsFromFlags(limit, timeZone, raiseCommand(key))]
  const store = await context.store()
  const budget = await findBudget(store, key, platform.nowMs())
  const { id } = budget
  await refuseInsideLedger(context, store, 'Raising a budget')
  const changed = await changeLimits(store, { scopeId: id, layers, ceilings: [], by, nowMs: platform.nowMs })
  return reportOf(await withAssumed(store, [changed], platform.nowMs()))
}

function raiseCommand(key: string): string {
  return commandFor('stint budget raise', key)
}

async function writeBudget(
  { platform, by }: CommandContext,
  store: LedgerStore,
  key: string,
  layers: readonly ParsedLimits[],
  within: string | null,
): Promise<ScopeReading> {
  const before = (await store.read({ scopeId: key, atMs: platform.nowMs() }))?.at(-1)
  if (before?.kind === 'lasting' && within !== null && before.parentId !== within) {
    const place = before.parentId === null ? 'a budget of its own' : `within ${before.parentId}`
    throw new InvalidOptionError('--within', within, `where ${key} was made: it is ${place}, and cannot be moved`)
  }
  if (before?.kind === 'lasting') {
    return changeLimits(store, { scopeId: key, layers, ceilings: [], by, nowMs: platform.nowMs })
  }
  // Opened with its limits, so that it is never there without them.
  const { limits } = resolveLimits(layers)
  const scopes = [{ id: key, name: key, kind: 'lasting', owner: null, limits }] as const
  const outcome = await store.open({ parentId: within, scopes, atMs: platform.nowMs() })
  if (outcome.kind === 'closed')
    throw new StintError('scope_closed', `The scope "${key}" has ended for good. Take another name.`)
  const known = (await store.read({ scopeId: key, atMs: platform.nowMs() }))!.at(-1)!
  if (known.kind !== 'lasting') throw new InvalidOptionError('stint budget set', key, 'a name that no run has')
  if (outcome.kind === 'opened' && outcome.created.length > 0) return known
  return changeLimits(store, { scopeId: key, layers, ceilings: [], by, nowMs: platform.nowMs })
}

function reportOf(budgets: readonly ScopeReading[]): Report {
  const texts = budgets.map((scope) => `${printable(scope.id)}\n${limitLines(scope)}`)
  return { json: { budgets: budgets.map((scope) => scopeJson(scope, null)) }, text: texts.join('\n') }
}

function noLimits(key: string | undefined, configured: readonly string[]): StintError {
  const nearest = key === undefined ? null : suggestName(key, configured)
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}, which the config has?`
  const what = key === undefined ? 'The config has no budgets' : `There are no limits for ${JSON.stringify(key)}`
  const form = `stint budget set ${key ?? 'team:core'} --limit cost=100/day`
  return new StintError('invalid_option', `${what}.${hint} Write e.g. ${form}`)
}
