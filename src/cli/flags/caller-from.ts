import type { Config } from '../../config/config.ts'
import type { SharedLimits } from '../../policy/index.ts'

/** The flags that say whose run it is. */
export interface CallerFlags {
  readonly within?: string
  readonly team?: string
  readonly user?: string
}

/** Whose run it is, and the config's limits for the budgets of that team and user. */
export interface CallerOfRun {
  readonly team?: string
  readonly user?: string
  readonly sharedLimits: SharedLimits
}

/** The keys of the budgets of that team and user. */
export function budgetsOf({ team, user }: Pick<CallerOfRun, 'team' | 'user'>): readonly string[] {
  const keyOf = (kind: string, name: string | undefined): readonly string[] =>
    name === undefined ? [] : [name.startsWith(`${kind}:`) ? name : `${kind}:${name}`]
  return [...keyOf('team', team), ...keyOf('user', user)]
}

/** `--within` decides alone: the config's team and user apply only without it. */
export function callerFrom({ team, user, shared }: Config, flags: CallerFlags): CallerOfRun {
  const isPlaced = flags.within !== undefined
  const chosenTeam = flags.team ?? (isPlaced ? null : team)
  const chosenUser = flags.user ?? (isPlaced ? null : user)
  return {
    sharedLimits: shared,
    ...(chosenTeam === null ? {} : { team: chosenTeam }),
    ...(chosenUser === null ? {} : { user: chosenUser }),
  }
}
