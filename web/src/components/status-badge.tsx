import './status-badge.css'

const LOOKS: Readonly<Record<string, string>> = {
  running: 'good',
  queued: 'accent',
  paused: 'warn',
  completed: '',
  'limit-reached': 'warn',
  'timed-out': 'warn',
  failed: 'bad',
  stopped: '',
  detached: '',
}

/** The status of a scope, in its own word. */
export function StatusBadge({ status, isStale = false }: { readonly status: string; readonly isStale?: boolean }) {
  if (isStale) return <span class="badge bad">process died</span>
  return <span class={`badge ${LOOKS[status] ?? ''}`}>{status}</span>
}
