import { type Action, describeSource } from '../core/index.ts'
import {
  believedLimits,
  formatMaximum,
  type LimitEntry,
  type LimitStatement,
  type ParsedLimits,
} from '../policy/index.ts'
import type { Claim, Trust } from './claim.ts'

/** The file that speaks, and the field that it does so in. */
export interface ClaimPlace {
  readonly folder: string
  readonly name: string
  readonly path: readonly string[]
}

/** Limits of a project's file: those that are believed as they are, the others so that they only tighten. */
export function trustedLimits(limits: ParsedLimits, place: ClaimPlace, trust: Trust): readonly ParsedLimits[] {
  return believedLimits(limits, (said) => trust.believes(claimOf(said, place)))
}

const HARDNESS: Readonly<Record<Action, number>> = { warn: 0, ask: 1, pause: 1, terminate: 2 }

function claimOf(said: LimitStatement, { folder, name, path }: ClaimPlace): Claim {
  if (said.kind === 'entry') return { folder, name, ...claimOfEntry(said.entry, path) }
  const { kind, value, source } = said
  const allows = `has ${kind} ${String(value)}`
  return { folder, name, path: [...path, kind], value, place: describeSource(source), allows }
}

function claimOfEntry(entry: LimitEntry, path: readonly string[]): Omit<Claim, 'folder' | 'name'> {
  const place = describeSource(entry.source)
  if (entry.kind === 'removal') {
    const allows = `takes away your limit on ${entry.meter}`
    return { path: [...path, entry.meter, 'every period'], value: null, place, allows }
  }
  const { meter, max, per, timeZone, action } = entry
  const period = per === null ? '' : ` per ${per}`
  return {
    path: [...path, meter, per ?? ''],
    value: max,
    bound: { max, hardness: action === null ? HARDNESS.terminate : HARDNESS[action], window: timeZone ?? '' },
    place,
    allows: `limits ${meter} to ${formatMaximum(meter, max)}${period}${action === null ? '' : `, and then ${actionText(action)}`}, instead of to what you say`,
  }
}

function actionText(action: Action): string {
  return { terminate: 'ends the run', pause: 'pauses', ask: 'asks for more', warn: 'only warns' }[action]
}
