import { InvalidOptionError } from '../../core/index.ts'
import type { CallerFlags } from '../flags/caller-from.ts'

/** Inside another run, that run pays: a flag that names another payer would have no effect, and is refused. */
export function refuseOtherPayers({ within, team, user }: CallerFlags): void {
  for (const [flag, name] of Object.entries({ within, team, user })) {
    if (name === undefined) continue
    throw new InvalidOptionError(`--${flag}`, name, 'omitted here: the enclosing run pays')
  }
}
