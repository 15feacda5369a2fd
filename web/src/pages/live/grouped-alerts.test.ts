import { expect, it } from 'vitest'
import type { Alert } from '../../../../src/server/contract.ts'
import { groupedAlerts } from './grouped-alerts.ts'

const alert = (id: string, rule: string, scopePath: string): Alert => ({
  id,
  ts: '2026-01-01T00:00:00.000Z',
  rule,
  message: `${rule} ${id}`,
  scope: id,
  scopePath,
  value: 1,
  threshold: 1,
  windowMs: null,
})

it('keeps the latest alert of a rule and path, with how many there were', () => {
  const alerts = [alert('3', 'cost-80', 'team/dev'), alert('2', 'cost-80', 'team'), alert('1', 'cost-80', 'team/dev')]
  expect(groupedAlerts(alerts).map(({ alert: { id }, count }) => [id, count])).toEqual([
    ['3', 2],
    ['2', 1],
  ])
})
