import { printable } from '../../core/checks/printable.ts'
import { fieldName } from '../../documents/index.ts'
import type { Claim, ClaimFile, Trust } from '../../trust/index.ts'

/** The claims that a file or an override makes about an agent, and which of them are ignored. */
export interface AgentClaims {
  readonly file: ClaimFile
  /** The path of the agent's fields in the file. */
  readonly path: readonly string[]
  readonly trust: Trust
  /** Whether the claim is trusted. One that isn't is ignored by the caller, and recorded in `leftOut`. */
  allows(claim: AgentClaim): boolean
  /** Like `allows`, for a claim that is used anyway, in a harmless way: nothing is recorded. */
  accepts(claim: AgentClaim): boolean
  /** Where a field is written, as a phrase. */
  placeOf(field: string): string
  readonly leftOut: readonly Claim[]
}

export interface AgentClaim {
  /** The field, and the item if it is a list. */
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
  const claimOf = ({ steps, ...claim }: AgentClaim): Claim => {
    return { ...file, ...claim, path: [...path, ...steps], place: placeOf(steps[0]) }
  }
  return {
    file,
    path,
    trust,
    leftOut,
    placeOf,
    accepts: (claim) => trust.accepts(claimOf(claim)),
    allows(agentClaim) {
      const claim = claimOf(agentClaim)
      const isAccepted = trust.accepts(claim)
      if (!isAccepted) leftOut.push(claim)
      return isAccepted
    },
  }
}
