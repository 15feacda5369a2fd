import { useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import './button.css'
import './menu.css'

export interface MenuItem {
  readonly name: string
  readonly icon: IconName
  readonly isDangerous: boolean
  readonly run: () => void
}

// Where the menu would stand below the edge of the window, it is above its button.
const ITEM_HEIGHT = 46

/** A button that opens a list of actions. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const place = (event: Pick<ToggleEvent, 'newState'>): void => {
    if (event.newState !== 'open' || button.current === null || list.current === null) return
    const { bottom, top, right } = button.current.getBoundingClientRect()
    const height = items.length * ITEM_HEIGHT
    const { style } = list.current
    style.top = `${bottom + height > innerHeight ? Math.max(4, top - height) : bottom + 4}px`
    style.right = `${Math.max(4, document.documentElement.clientWidth - right)}px`
  }
  const follow = (event: Pick<ToggleEvent, 'newState'>): void => {
    setIsOpen(event.newState === 'open')
    if (event.newState === 'open') list.current?.querySelector('button')?.focus()
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || list.current === null) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = [...list.current.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button.matches(':focus'))
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button quiet icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        tabIndex={-1}
        popover="auto"
        aria-label={label}
        onBeforeToggle={place}
        onToggle={follow}
        onKeyDown={move}
      >
        {items.map(({ name, icon, isDangerous, run }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            class={isDangerous ? 'danger' : ''}
            onClick={() => {
              list.current?.hidePopover()
              run()
            }}
          >
            <Icon name={icon} />
            {name}
          </button>
        ))}
      </div>
    </>
  )
}
