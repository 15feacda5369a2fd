import type { Live } from '../../data/live.ts'
import { useAnswer } from '../../data/use-answer.ts'
import type { Span } from './span.ts'
import type { Group } from './spend-groups.ts'

// As many as the API sends at once.
const MOST_RUNS = 1000

/** What a group is called. A run is known by its id: its path says which one it was. */
export function useGroupName(by: Group, { sinceMs }: Span, live: Live): (key: string) => string {
  const { value } = useAnswer('GET /api/runs', by === 'run' ? { query: { sinceMs, most: MOST_RUNS } } : null)
  if (by !== 'run') return (key) => key
  const paths = new Map(value?.runs.map(({ id, path }) => [id, path]))
  return (key) => live.tree.scopes.get(key)?.path ?? paths.get(key) ?? key
}
