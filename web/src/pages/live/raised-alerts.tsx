import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useNow } from '../../components/use-now.ts'
import { type Live, MOST_ALERTS } from '../../data/live.ts'
import { useStore } from '../../data/use-store.ts'
import { agoText } from '../../format/time-text.ts'
import { hrefOf } from '../../router/route.ts'
import { groupedAlerts } from './grouped-alerts.ts'
import './runs-out-first.css'

const MOST = 5

/** The latest alerts of a day. Without any, there is no panel: no news is good news. */
export function RaisedAlerts({ live }: { readonly live: Live }) {
  const alerts = useStore(live.alerts)
  const now = useNow()
  if (alerts.length === 0) return null
  return (
    <Panel title="Alerts" count={alerts.length < MOST_ALERTS ? alerts.length : `${MOST_ALERTS}+`}>
      <ul class="rows runs-out few">
        {groupedAlerts(alerts)
          .slice(0, MOST)
          .map(({ alert: { id, ts, message, scope, scopePath }, count }) => (
            <li key={id}>
              <div class="line">
                <Plain text={message} />
                {count > 1 && <small title={`${count} times`}>× {count}</small>}
              </div>
              <div class="line">
                <small class="cut">
                  <a href={hrefOf({ page: 'scope', id: scope })}>
                    <Plain text={scopePath} />
                  </a>
                </small>
                <small>{agoText(Date.parse(ts), now)}</small>
              </div>
            </li>
          ))}
      </ul>
    </Panel>
  )
}
