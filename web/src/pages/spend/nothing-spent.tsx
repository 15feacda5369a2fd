import { EmptyState } from '../../components/empty-state.tsx'

/** What the page says before the first call. */
export function NothingSpent() {
  return (
    <EmptyState
      title="Nothing was spent in this time"
      command='npx stint exec --limit cost=1 -- claude -p "fix the tests"'
    >
      Every call that goes through Stint is counted here, whichever program makes it.
    </EmptyState>
  )
}
