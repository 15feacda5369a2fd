/** How much a limit allows. One that is lower and at least as hard, over the same window, allows no more. */
export interface ClaimBound {
  /** `null`: any amount. */
  readonly max: number | null
  /** How strict its action is; higher is stricter. */
  readonly hardness: number
  readonly window: string
}

/** A setting in a project's file that takes effect only if a person has trusted the project with it. */
export interface Claim {
  /** The project's folder, with links resolved. */
  readonly folder: string
  /** The file, as a path inside the folder. */
  readonly name: string
  /** The setting. Folder, file and path identify the claim. */
  readonly path: readonly string[]
  /** The setting's value. */
  readonly value: unknown
  /** For limits: lets a later value that allows no more be accepted without asking again. */
  readonly bound?: ClaimBound
  /** The model that it names: one with a price needs no trust. */
  readonly model?: string
  /** Where it is written: `log in /project/stint.config.yaml:3`. */
  readonly place: string
  /** What it allows, as a phrase that begins with a verb. Never contains a secret. */
  readonly allows: string
}

/** Decides which claims of a project's files are accepted. */
export interface Trust {
  accepts(claim: Claim): boolean
}

/** For files that the user wrote or named. */
export const TRUST_EVERYTHING: Trust = { accepts: () => true }

/** For files that were merely found. */
export const TRUST_NOTHING: Trust = { accepts: () => false }
