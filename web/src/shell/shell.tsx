import { useEffect } from 'preact/hooks'
import { Icon, type IconName } from '../components/icon.tsx'
import type { Live } from '../data/live.ts'
import { useStore } from '../data/use-store.ts'
import { LivePage } from '../pages/live/live-page.tsx'
import { NotFoundPage } from '../pages/not-found-page.tsx'
import { hrefOf, type Place, type Route } from '../router/route.ts'
import { usePlace } from '../router/use-place.ts'
import type { Session } from '../session/session.ts'
import { latePage } from './late-page.tsx'
import './shell.css'
import { pageTitle } from './page-title.ts'
import { SideFooter } from './side-footer.tsx'

const ScopePage = latePage(async () => (await import('../pages/scope/scope-page.tsx')).ScopePage)
const SpendPage = latePage(async () => (await import('../pages/spend/spend-page.tsx')).SpendPage)

const TITLES: Readonly<Record<Route['page'], string>> = {
  live: 'Live',
  scope: 'Run',
  spend: 'Spend',
  'not-found': 'Not found',
}

/** What stays on every page: the way to the others, and who is signed in. */
export function Shell({ session, live }: { readonly session: Session; readonly live: Live }) {
  const place = usePlace()
  const { page } = place.route
  const waiting = useStore(live.requests).length
  const name = useStore(pageTitle)
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name ?? TITLES[page]} · Stint`
  }, [page, waiting, name])
  return (
    <div class="shell">
      <a class="button skip" href="#content" onClick={toContent}>
        Skip to the content
      </a>
      <div class="side">
        <a class="brand" href={hrefOf({ page: 'live' })} aria-label="Stint">
          <Mark />
          <span>Stint</span>
        </a>
        <nav aria-label="Pages">
          <ul>
            <NavLink
              icon="live"
              title="Live"
              to="live"
              isCurrent={page === 'live' || page === 'scope'}
              waiting={waiting}
            />
            <NavLink icon="spend" title="Spend" to="spend" isCurrent={page === 'spend'} />
          </ul>
        </nav>
        <SideFooter session={session} live={live} />
      </div>
      <main id="content" tabIndex={-1}>
        <Page place={place} live={live} />
      </main>
    </div>
  )
}

/** The address is a place of ours, so the browser must not follow the link itself. */
function toContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Page({ place, live }: { readonly place: Place; readonly live: Live }) {
  const { route } = place
  if (route.page === 'live') return <LivePage place={place} live={live} />
  if (route.page === 'scope') return <ScopePage key={route.id} place={place} id={route.id} live={live} />
  return route.page === 'spend' ? <SpendPage place={place} live={live} /> : <NotFoundPage />
}

interface NavLinkProps {
  readonly icon: IconName
  readonly title: string
  readonly to: 'live' | 'spend'
  readonly isCurrent: boolean
  readonly waiting?: number
}

function NavLink({ icon, title, to, isCurrent, waiting = 0 }: NavLinkProps) {
  return (
    <li>
      <a href={hrefOf({ page: to })} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        {title}
        {waiting > 0 && (
          <span class="waiting" title={`${waiting} waiting for an answer`}>
            {waiting}
            <span class="unseen"> waiting for an answer</span>
          </span>
        )}
      </a>
    </li>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <g fill="var(--on-accent)">
        <rect x="7" y="8" width="18" height="4" rx="2" />
        <rect x="7" y="14" width="12" height="4" rx="2" opacity=".8" />
        <rect x="7" y="20" width="7" height="4" rx="2" opacity=".6" />
      </g>
    </svg>
  )
}
