import { OpenDialogs } from '../../actions/open-dialogs.tsx'
import type { Live } from '../../data/live.ts'
import type { Place } from '../../router/route.ts'
import { LiveFigures } from './live-figures.tsx'
import './live-page.css'
import { RaisedAlerts } from './raised-alerts.tsx'
import { RequestInbox } from './request-inbox.tsx'
import { RunsOutFirst } from './runs-out-first.tsx'
import { ScopeTree } from './scope-tree.tsx'

/** What every agent spends right now, what runs out when, and who waits for an answer. */
export function LivePage({ place, live }: { readonly place: Place; readonly live: Live }) {
  return (
    <div class="page live">
      <header>
        <h1>Live</h1>
      </header>
      <LiveFigures live={live} />
      <ScopeTree live={live} place={place} />
      <div class="rail">
        <RequestInbox live={live} />
        <RunsOutFirst />
        <RaisedAlerts live={live} />
      </div>
      <OpenDialogs />
    </div>
  )
}
