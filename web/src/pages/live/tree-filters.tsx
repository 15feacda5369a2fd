import type { Status } from '../../../../src/server/contract.ts'
import '../../components/dialog.css'
import type { Place } from '../../router/route.ts'
import { setFilters } from '../../router/use-place.ts'

const STATUSES: readonly Status[] = [
  'running',
  'queued',
  'paused',
  'completed',
  'limit-reached',
  'timed-out',
  'failed',
  'stopped',
  'detached',
]

/** What of the tree is shown. It is written in the address. */
export function TreeFilters({ place }: { readonly place: Place }) {
  const { find = '', status = '', ended = '' } = place.filters
  return (
    <search class="filters">
      <label class="choice">
        <input
          type="checkbox"
          checked={ended === 'yes'}
          onChange={(event) => setFilters(place, { ended: event.currentTarget.checked ? 'yes' : '' })}
        />
        Ended in the last hour
      </label>
      <select
        class="input"
        aria-label="Status"
        value={status}
        onChange={(event) => setFilters(place, { status: event.currentTarget.value })}
      >
        <option value="">Any status</option>
        {STATUSES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <input
        class="input"
        type="search"
        aria-label="Find a scope or agent"
        placeholder="Find a scope or agent"
        value={find}
        onInput={(event) => setFilters(place, { find: event.currentTarget.value })}
      />
    </search>
  )
}
