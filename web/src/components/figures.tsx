import type { ComponentChildren } from 'preact'
import './figures.css'
import './panel.css'

/** A row of large numbers. */
export function Figures({ children }: { readonly children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>
}

export function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="panel figure">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
