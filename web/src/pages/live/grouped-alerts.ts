import type { Alert } from '../../../../src/server/contract.ts'

/** The latest alert of each kind, and how many there were: runs of one agent raise the same one again and again. */
export function groupedAlerts(alerts: readonly Alert[]): readonly { readonly alert: Alert; readonly count: number }[] {
  const groups = new Map<string, { readonly alert: Alert; count: number }>()
  for (const alert of alerts) {
    const key = JSON.stringify([alert.rule, alert.scopePath])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { alert, count: 1 })
    else known.count++
  }
  return [...groups.values()]
}
