/** How much a limit allows. What is lower and at least as hard, over the same stretches of time, allows no more. */
export interface ClaimBound {
  /** `null`: any amount. */
  readonly max: number | null
  /** What happens there, the harder the higher. */
  readonly hardness: number
  readonly window: string
}

/** Something that a file of a project says, and that holds only where a person has trusted the project with it. */
export interface Claim {
  /** The folder of the project, without links. */
  readonly folder: string
  /** The file, as a path inside of the folder. */
  readonly name: string
  /** The setting. With the folder and the file, what makes this the same claim later. */
  readonly path: readonly string[]
  /** What the file says there, as data. */
  readonly value: unknown
  /** Where a change is compared, instead of asking about every one. */
  readonly bound?: ClaimBound
  /** The model that it names: where that has a price, it asks for nothing. */
  readonly model?: string
  /** Where it is written, as a phrase: `log in /project/stint.config.yaml:3`. */
  readonly place: string
  /** What it allows, as a phrase that begins with a verb. Never a secret. */
  readonly allows: string
}

/** Who decides what is believed of a project's files. */
export interface Trust {
  believes(claim: Claim): boolean
}

/** For files that a person wrote or named. */
export const TRUST_EVERYTHING: Trust = { believes: () => true }

/** For files that were merely found. */
export const TRUST_NOTHING: Trust = { believes: () => false }
