import { KEY_ROLES, type KeyRole } from '../../core/index.ts'

/** Who calls, as far as it has been proved. */
export interface Caller {
  /** The name in the journal. */
  readonly by: string
  readonly role: KeyRole
  /** Only this scope and what is below it can be seen; `null`: everything. */
  readonly scopeId: string | null
  readonly expiresAtMs: number | null
  /** The same for every request of one sign-in, or of one key. */
  readonly id: string
  /** What its streams are counted with: all sign-ins with one key are one, or a key could take every place. */
  readonly countedAs: string
  readonly isBrowser: boolean
}

/** Whether a role may do what needs at least another. */
export function mayActAs(role: KeyRole, least: KeyRole): boolean {
  return KEY_ROLES.indexOf(role) >= KEY_ROLES.indexOf(least)
}
