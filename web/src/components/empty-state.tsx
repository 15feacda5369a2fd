import type { ComponentChildren } from 'preact'
import { Command } from './command.tsx'
import './empty-state.css'

export interface EmptyStateProps {
  readonly title: string
  readonly children?: ComponentChildren
  /** What to type next to see something here. */
  readonly command?: string | undefined
}

/** What a part of the page says while there is nothing in it. */
export function EmptyState({ title, children, command }: EmptyStateProps) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}
