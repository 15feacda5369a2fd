import { InvalidOptionError, type Limit } from '../../../core/index.ts'
import { formatMaximum, type ParsedLimits, resolveLimits } from '../../../policy/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/** Whose budget: both are lasting scopes, `team:NAME` and `user:NAME`. */
export type CallerKind = 'team' | 'user'

/** Throws if limits are set for a team or a user that is not named. */
export function refuseUnnamed(kind: CallerKind, wanted: readonly ParsedLimits[]): void {
  const [limit] = resolveLimits(wanted).limits
  if (limit === undefined) return
  const example = kind === 'team' ? 'core' : 'ann'
  const form =
    `given with the name of the ${kind} whose budget it is: open({ ${kind}: '${example}' }) in a program, ` +
    `--${kind} ${example} on the command line, or ${kind}: ${example} in your config`
  throw new InvalidOptionError(limit.source.field ?? limit.source.written, budgetText(limit), form)
}

/** The budget of this kind that pays for what is opened below `parent`. */
export function budgetAbove(parent: ScopeRuntime | null, kind: CallerKind): ScopeRuntime | null {
  const path = parent?.rootToSelf ?? []
  return path.findLast((scope) => scope.kind === 'lasting' && scope.id.startsWith(`${kind}:`)) ?? null
}

/** As people write it: $100, or $10/day. */
export function budgetText({ meter, max, per }: Limit): string {
  const amount = formatMaximum(meter, max).replace(/\.00$/, '')
  return per === null ? amount : `${amount}/${per}`
}
