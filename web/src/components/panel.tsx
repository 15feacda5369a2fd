import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './panel.css'

export interface PanelProps {
  readonly title: string
  /** How many there are, behind the title. */
  readonly count?: number | string | undefined
  /** What stands at the right of the title. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

/** A part of a page with a title. */
export function Panel({ title, count, tools, children, class: more = '' }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </h2>
        {tools}
      </header>
      {children}
    </section>
  )
}
