import { type Action, describeSource } from '../core/index.ts'
import {
  formatMaximum,
  type LimitEntry,
  type LimitStatement,
  type ParsedLimits,
  splitByTrust,
} from '../policy/index.ts'
import type { Claim, Trust } from './claim.ts'

/** The file and field of the claims. */
export interface ClaimPlace {
  readonly folder: string
  readonly name: string
  readonly path: readonly string[]
}

/** The limits of a project's file, where those that are not trusted can only tighten. */
export function trustedLimits(limits: ParsedLimits, place: ClaimPlace, trust: Trust): readonly ParsedLimits[] {
  return splitByTrust(limits, (statement) => trust.accepts(claimOf(statement, place)))
}

const HARDNESS: Readonly<Record<Action, number>> = { warn: 0, ask: 1, pause: 1, terminate: 2 }

function claimOf(statement: LimitStatement, { folder, name, path }: ClaimPlace): Claim {
  if (statement.kind === 'entry') return { folder, name, ...claimOfEntry(statement.entry, path) }
  const { kind, value, source } = statement
  const allows = `sets ${kind} to ${String(value)}`
  return { folder, name, path: [...path, kind], value, place: describeSource(source), allows }
}

function claimOfEntry(entry: LimitEntry, path: readonly string[]): Omit<Claim, 'folder' | 'name'> {
  const place = describeSource(entry.source)
  if (entry.kind === 'removal') {
    const allows = `removes your limit on ${entry.meter}`
    return { path: [...path, entry.meter, 'every period'], value: null, place, allows }
  }
  const { meter, max, per, timeZone, action } = entry
  const period = per === null ? '' : ` per ${per}`
  return {
    path: [...path, meter, per ?? ''],
    value: max,
    bound: { max, hardness: action === null ? HARDNESS.terminate : HARDNESS[action], window: timeZone ?? '' },
    place,
    allows: `limits ${meter} to ${formatMaximum(meter, max)}${period}${action === null ? '' : `, and then ${actionText(action)}`}, instead of your limit`,
  }
}

function actionText(action: Action): string {
  return { terminate: 'ends the run', pause: 'pauses', ask: 'asks for more', warn: 'only warns' }[action]
}
