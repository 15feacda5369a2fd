import { createStore } from '../data/create-store.ts'

/** What is known of a scope wherever it can be steered. */
export interface SteeredScope {
  readonly id: string
  readonly name: string
  readonly kind: string
}

/** The dialog that is open, if any. */
export type OpenDialog = { readonly kind: 'stop' | 'limits' | 'resume'; readonly scope: SteeredScope } | null

export const openDialog = createStore<OpenDialog>(null)
