import { useStore } from '../data/use-store.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Plain } from './plain.tsx'
import { hideToast, orToast, toasts } from './toast.ts'
import './toast.css'

/** The messages at the corner of the page, each with its Undo. */
export function Toasts() {
  const shown = useStore(toasts)
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, isProblem, undo }) => (
        <div key={id} class={isProblem ? 'toast bad' : 'toast'}>
          <Plain text={text} />
          {undo !== null && (
            <Button
              look="small"
              onClick={() => {
                hideToast(id)
                void orToast(undo)
              }}
            >
              Undo
            </Button>
          )}
          <Button look="quiet icon" label="Close the message" onClick={() => hideToast(id)}>
            <Icon name="close" />
          </Button>
        </div>
      ))}
    </div>
  )
}
