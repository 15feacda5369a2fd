import { printable } from '../../core/checks/printable.ts'
import type { ScopeReading } from '../../core/index.ts'
import type { Field } from './field-list.ts'

/** The labels of a scope as fields. The user's own labels are shown as written. */
export function labelFields({ id, name, labels }: Pick<ScopeReading, 'id' | 'name' | 'labels'>): readonly Field[] {
  return Object.entries(labels).flatMap(([label, value]): readonly Field[] => {
    const text = printable(value)
    // Shown in the rows above.
    if (label === 'taskId') return value === id ? [] : [['task', text]]
    if (label === 'agentType') return value === name ? [] : [['role', text]]
    if (label === 'wrapUp') return [['closing answer', value === 'true' ? 'yes' : 'no']]
    return [[printable(label), text]]
  })
}
