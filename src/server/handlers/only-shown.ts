import type { ScopeReading } from '../../core/index.ts'
import { mayShow, type ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'

/** Those of some things in scopes that their caller may see. */
export async function onlyShown<Item>(
  { store, nowMs }: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  items: readonly Item[],
  scopeIdOf: (item: Item) => string,
): Promise<readonly Item[]> {
  if (caller.scopeId === null) return items.filter((item) => mayShow(caller, [scopeIdOf(item)]))
  const known = new Map<string, boolean>()
  for (const scopeId of new Set(items.map(scopeIdOf))) {
    const path = (await store.read({ scopeId, atMs: nowMs() })) ?? []
    known.set(
      scopeId,
      mayShow(
        caller,
        path.map(({ id }: ScopeReading) => id),
      ),
    )
  }
  return items.filter((item) => known.get(scopeIdOf(item)) === true)
}

// A caller bound to a scope has its things among those of others.
const MOST_LOOKED_THROUGH = 5_000

/**
 * How many things to read for a caller who may see at most `most` of them and is told whether there are more. For a
 * bound caller that is the same however many it asks for: "there are more" must not count those of others.
 */
export function mostRead({ scopeId }: Pick<Caller, 'scopeId'>, most: number): number {
  return scopeId === null ? most : MOST_LOOKED_THROUGH
}
