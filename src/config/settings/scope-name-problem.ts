import { messageOf } from '../../core/checks/thrown.ts'
import { assertScopeName } from '../../core/index.ts'

/** Why a scope cannot have this name; `null`: it can. */
export function scopeNameProblem(name: string): string | null {
  try {
    assertScopeName(name)
    return null
  } catch (error) {
    return messageOf(error)
  }
}
