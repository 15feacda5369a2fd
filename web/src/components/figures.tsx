import type { ComponentChildren } from 'preact'
import './figures.css'
import './panel.css'

/** A row of large numbers. */
export function Figures({ children }: { readonly children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>
}

export interface FigureProps {
  readonly name: string
  readonly value: string
  /** What stands at the right of the number. */
  readonly children?: ComponentChildren
}

export function Figure({ name, value, children }: FigureProps) {
  return (
    <div class="panel figure">
      <dt>{name}</dt>
      <dd>
        {value}
        {children}
      </dd>
    </div>
  )
}
