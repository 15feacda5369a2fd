import { useId, useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Plain } from '../components/plain.tsx'
import { resumeScope } from './pause-and-resume.ts'
import type { SteeredScope } from './scope-dialogs.ts'

/** Asks how much more a scope gets that a limit has paused: without more it would pause again. */
export function ResumeDialog({ scope, onClose }: { readonly scope: SteeredScope; readonly onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const add = text.split(/[\s,]+/).filter((part) => part !== '')
  return (
    <Dialog title="Resume this run?" confirm="Resume" onClose={onClose} onConfirm={() => resumeScope(scope, add)}>
      <p>
        A limit has paused <Plain text={scope.name} />. Without more of it, the next call pauses it again.
      </p>
      <div class="field">
        <label for={id}>Add to its limits</label>
        <input
          id={id}
          class="input"
          placeholder="turns=10 cost=0.50"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}
