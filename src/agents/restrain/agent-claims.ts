import { printable } from '../../core/printable.ts'
import { fieldName } from '../../documents/index.ts'
import type { Claim, ClaimFile, Trust } from '../../trust/index.ts'

/** What a file or an override says about an agent, as claims, and what becomes of them. */
export interface AgentClaims {
  readonly file: ClaimFile
  /** The way to the agent's fields in the file. */
  readonly path: readonly string[]
  readonly trust: Trust
  /** Whether it is believed; what is not is left out, and that is noted. */
  allows(claim: AgentClaim): boolean
  /** The same for what is used in any case, in a way that can do no harm: nothing is left out. */
  believes(claim: AgentClaim): boolean
  /** Where a field is written, as a phrase. */
  placeOf(field: string): string
  readonly leftOut: readonly Claim[]
}

export interface AgentClaim {
  /** The field, and in a list which of its items. */
  readonly steps: readonly [field: string, ...items: readonly string[]]
  readonly value: unknown
  /** The model that it names. */
  readonly model?: string
  readonly allows: string
}

export interface AgentClaimsOptions extends Pick<AgentClaims, 'file' | 'path' | 'trust'> {
  /** As messages show it. */
  readonly shownFile: string
  lineOf(field: string): number | undefined
}

export function createAgentClaims({ file, path, trust, shownFile, lineOf }: AgentClaimsOptions): AgentClaims {
  const leftOut: Claim[] = []
  const placeOf = (field: string): string => {
    const whole = [...path, field].reduce((parent, step) => fieldName(parent, step), '')
    const line = lineOf(whole) ?? (path.length === 0 ? undefined : lineOf(path.reduce(fieldName, '')))
    return printable(`${whole} in ${shownFile}${line === undefined ? '' : `:${line}`}`)
  }
  const claimOf = ({ steps, ...said }: AgentClaim): Claim => {
    return { ...file, ...said, path: [...path, ...steps], place: placeOf(steps[0]) }
  }
  return {
    file,
    path,
    trust,
    leftOut,
    placeOf,
    believes: (said) => trust.believes(claimOf(said)),
    allows(said) {
      const claim = claimOf(said)
      const isBelieved = trust.believes(claim)
      if (!isBelieved) leftOut.push(claim)
      return isBelieved
    },
  }
}
