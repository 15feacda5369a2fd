import type { Scope, TaskDetails } from '../../../../src/server/contract.ts'
import { Plain } from '../../components/plain.tsx'
import { useNow } from '../../components/use-now.ts'
import { agoText } from '../../format/time-text.ts'

interface ScopeFactsProps {
  readonly scope: Scope
  readonly task: TaskDetails | null
}

/** Who started a scope, where and for what, and why it ended. */
export function ScopeFacts({ scope: { about, owner, openedAtMs, closedAtMs, pause }, task }: ScopeFactsProps) {
  const now = useNow()
  const facts = [
    ['Task', about?.task ?? task?.task],
    ['Command', about?.command],
    ['Model', task?.model],
    ['Started', agoText(openedAtMs, now)],
    ['Ended', closedAtMs === null ? null : agoText(closedAtMs, now)],
    ['By', about?.by],
    ['On', about?.host],
    ['In', about?.folder],
    ['Process', owner?.isAlive === false && closedAtMs === null ? 'died' : null],
    ['Paused', pause?.reason],
    ['Why', task?.error],
  ] as const
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value != null &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Plain text={value} />
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
