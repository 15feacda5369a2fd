import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Plain } from '../components/plain.tsx'
import type { Connection, Live } from '../data/live.ts'
import { useStore } from '../data/use-store.ts'
import { type Session, signOut } from '../session/session.ts'
import { switchTheme, theme } from '../theme/theme.ts'

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  away: 'Reconnecting',
}

/** Whether what is shown is current, who is signed in, and the theme. */
export function SideFooter({ session, live }: { readonly session: Session; readonly live: Live }) {
  const connection = useStore(live.connection)
  const shown = useStore(theme)
  return (
    <footer>
      <div class={`connection ${connection}`} role="status">
        <span>{WORDS[connection]}</span>
      </div>
      <div class="signed-in">
        <Plain text={session.by} /> · {session.role}
        <br />
        Stint {session.version}
      </div>
      <div class="tools">
        <Button look="quiet icon" label={shown === 'dark' ? 'Light theme' : 'Dark theme'} onClick={switchTheme}>
          <Icon name={shown === 'dark' ? 'sun' : 'moon'} />
        </Button>
        <Button look="quiet icon" label="Sign out" onClick={() => void signOut()}>
          <Icon name="leave" />
        </Button>
      </div>
    </footer>
  )
}
