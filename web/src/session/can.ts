import { useStore } from '../data/use-store.ts'
import { type Session, sessionState } from './session.ts'

type Role = Session['role']

const ORDER: readonly Role[] = ['viewer', 'operator', 'admin']

/** Whether the one who is signed in has this role or more. */
export function useCan(role: Role): boolean {
  const state = useStore(sessionState)
  return state.kind === 'signed-in' && ORDER.indexOf(state.session.role) >= ORDER.indexOf(role)
}
