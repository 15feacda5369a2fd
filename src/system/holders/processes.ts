/** What can be seen of a process. */
export type ProcessSighting =
  /** `start` is `''` if the platform doesn't tell. */
  | { readonly kind: 'running'; readonly start: string }
  /** No such process, or a zombie. */
  | { readonly kind: 'gone' }
  /** It may exist, but this process is not allowed to see it. */
  | { readonly kind: 'hidden' }

/** The processes of this machine, as far as they can be seen from here. */
export interface Processes {
  readonly host: string
  readonly pidNamespace: string
  readonly boot: string
  /** Never throws. */
  look(pid: number): ProcessSighting
}
