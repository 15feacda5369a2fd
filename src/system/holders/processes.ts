/** What can be seen of a process. */
export type ProcessSighting =
  /** `start` is `''` where the platform does not tell. */
  | { readonly kind: 'running'; readonly start: string }
  /** No such process, or one that has ended and only waits to be buried. */
  | { readonly kind: 'gone' }
  /** It may be there, but this process may not look. */
  | { readonly kind: 'hidden' }

/** The processes of this machine, as far as they can be seen from here. */
export interface Processes {
  readonly host: string
  readonly pidNamespace: string
  readonly boot: string
  /** Never throws. */
  look(pid: number): ProcessSighting
}
