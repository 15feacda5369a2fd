import type { HourSum } from '../../core/index.ts'
import { mayShow, type ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'

export interface ReportSpan {
  readonly sinceMs?: number | undefined
  readonly untilMs?: number | undefined
  /** Only what this scope and those below it paid. */
  readonly scope?: string | undefined
}

const DAY_MS = 86_400_000

/** The span that is meant: by default the last day. */
export function spanOf({ nowMs }: ServerContext, { sinceMs, untilMs }: ReportSpan) {
  const until = untilMs ?? nowMs() + 1
  return { sinceMs: sinceMs ?? Math.max(0, until - DAY_MS), untilMs: until }
}

/**
 * The sums of a span that a caller may see. They are kept by the budget that pays and by root: a caller bound to a run
 * below one of those sees none.
 */
export async function shownSums(
  context: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  span: ReportSpan,
): Promise<readonly HourSum[]> {
  const { store, nowMs } = context
  const sums = await store.sums(spanOf(context, span))
  if (caller.scopeId === null && span.scope === undefined) return sums
  const paths = new Map<string, readonly string[]>()
  for (const scopeId of new Set(sums.map(({ payerId }) => payerId))) {
    const path = (await store.read({ scopeId, atMs: nowMs() })) ?? []
    paths.set(
      scopeId,
      path.map(({ id }) => id),
    )
  }
  return sums.filter(({ payerId }) => {
    const ids = paths.get(payerId) ?? []
    return mayShow(caller, ids) && (span.scope === undefined || ids.includes(span.scope))
  })
}
