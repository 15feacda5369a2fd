import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import './dialog.css'
import { Words } from './words.tsx'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The words on the button that does it. */
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly onClose: () => void
  /** Does it. The dialog stays open with the reason if it fails. */
  readonly onConfirm: () => Promise<void>
}

/** Asks before something is done. Escape and Cancel leave everything as it is. */
export function Dialog({ title, children, confirm, isDangerous = false, onClose, onConfirm }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  const act = async (event: Event): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    setProblem(null)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setIsBusy(false)
    }
  }
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <form onSubmit={act}>
        <h2 id={id}>{title}</h2>
        {children}
        {problem !== null && (
          <p class="problem" role="alert">
            <Words text={problem} />
          </p>
        )}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={isDangerous ? 'danger primary' : 'primary'} isDisabled={isBusy}>
            {confirm}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
