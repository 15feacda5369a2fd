import { useEffect, useState } from 'preact/hooks'
import { Toasts } from './components/toasts.tsx'
import { type Live, openLive } from './data/live.ts'
import { useStore } from './data/use-store.ts'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { type Session, sessionState, signedOut } from './session/session.ts'
import { Shell } from './shell/shell.tsx'

/** The page for users who are signed in, and the sign-in for everyone else. */
export function App() {
  const state = useStore(sessionState)
  if (state.kind === 'starting') return <p class="unseen">Loading</p>
  if (state.kind === 'signed-out') return <SignInPage problem={state.problem} />
  return <SignedIn session={state.session} />
}

function SignedIn({ session }: { readonly session: Session }) {
  const [live, setLive] = useState<Live | null>(null)
  useEffect(() => {
    const opened = openLive(() => signedOut('Your session has ended. Sign in again.'))
    setLive(opened)
    return opened.close
  }, [])
  if (live === null) return null
  return (
    <>
      <Shell session={session} live={live} />
      <Toasts />
    </>
  )
}
