import { useId, useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Command } from '../../components/command.tsx'
import '../../components/dialog.css'
import '../../components/panel.css'
import { Words } from '../../components/words.tsx'
import { signIn } from '../../session/session.ts'
import './sign-in-page.css'

/** The way in: the link that `stint serve` prints, or a key. */
export function SignInPage({ problem: first }: { readonly problem: string | null }) {
  const id = useId()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState(first)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    try {
      await signIn({ key: key.trim() })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setIsBusy(false)
    }
  }
  return (
    <main class="sign-in">
      <section class="panel">
        <form onSubmit={submit}>
          <h1>Sign in to Stint</h1>
          {problem !== null && (
            <p class="problem" role="alert">
              <Words text={problem} />
            </p>
          )}
          <p class="soft">
            On the machine that runs the server, open the link that <code>stint serve</code> prints. It works once, for
            five minutes. From elsewhere, use a key:
          </p>
          <Command text="stint keys create --role operator" />
          <div class="field">
            <label for={id}>Key</label>
            <input
              id={id}
              class="input"
              type="password"
              autocomplete="current-password"
              required
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          </div>
          <Button type="submit" look="primary" isDisabled={isBusy}>
            Sign in
          </Button>
        </form>
      </section>
    </main>
  )
}
