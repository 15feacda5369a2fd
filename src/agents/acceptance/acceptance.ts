/** What an agent has to show for its work. Each kind has its field in the report. */
export const EVIDENCE_KINDS = [
  'changed-files',
  'tests-added',
  'commands-run',
  'validation-output',
  'residual-risks',
  'no-staged-files',
  'diff-summary',
  'review-findings',
  'manual-notes',
] as const

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** `recommended`: only reported. */
export const SEVERITIES = ['required', 'recommended'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Something that must be true of the work. */
export interface Criterion {
  readonly id: string
  readonly must: string
  /** The evidence for it, in addition to the contract's own. */
  readonly evidence: readonly EvidenceKind[]
  readonly severity: Severity
}

/** A command that must succeed in the folder of the work. */
export interface VerifyCommand {
  readonly id: string
  readonly command: string
  readonly timeoutMs: number
  /** Whether it only informs. */
  readonly allowFailure: boolean
}

/** An agent that judges the work. */
export interface ReviewOrder {
  readonly agent: string
  readonly focus: string | null
  /** `false`: its verdict is only recorded. */
  readonly required: boolean
}

/** When the work of an agent counts as done. */
export interface Acceptance {
  readonly criteria: readonly Criterion[]
  readonly evidence: readonly EvidenceKind[]
  readonly verify: readonly VerifyCommand[]
  readonly review: ReviewOrder | null
  /** What makes the agent stop and say why. */
  readonly stopRules: readonly string[]
  /** How often work that is not accepted goes back to the agent. */
  readonly maxFinalizationTurns: number
  /** Comes from a model or an untrusted file: it adds to the agent's own contract, and takes nothing away. */
  readonly onlyAdds?: true
}

/** A contract as written. At least one of its first five fields is required. */
export interface AcceptanceInput {
  readonly criteria?: readonly (
    | string
    | {
        readonly id: string
        readonly must: string
        readonly evidence?: readonly EvidenceKind[]
        readonly severity?: Severity
      }
  )[]
  readonly evidence?: readonly EvidenceKind[]
  readonly verify?: readonly {
    readonly id: string
    readonly command: string
    /** Default: 120000. */
    readonly timeoutMs?: number
    readonly allowFailure?: boolean
  }[]
  readonly review?:
    | false
    | {
        /** Default: `reviewer`. */
        readonly agent?: string
        readonly focus?: string
        readonly required?: boolean
      }
  readonly stopRules?: readonly string[]
  /** From 1 to 10. Default: 3. */
  readonly maxFinalizationTurns?: number
}
