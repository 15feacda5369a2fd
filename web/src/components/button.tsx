import type { ComponentChildren } from 'preact'
import './button.css'

export type ButtonLook = 'primary' | 'danger' | 'quiet' | 'small' | 'icon'

export interface ButtonProps {
  readonly children: ComponentChildren
  /** What it does, where its content is an icon. */
  readonly label?: string | undefined
  /** Words of the style sheet: `primary small`. */
  readonly look?: ButtonLook | `${ButtonLook} ${ButtonLook}`
  readonly type?: 'button' | 'submit'
  readonly isDisabled?: boolean
  /** The id of the popover that it opens. */
  readonly opens?: string
  readonly onClick?: (event: MouseEvent) => void
}

export function Button({ children, label, look, type = 'button', isDisabled, opens, onClick }: ButtonProps) {
  return (
    <button
      type={type}
      class={look === undefined ? 'button' : `button ${look}`}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      popovertarget={opens}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
