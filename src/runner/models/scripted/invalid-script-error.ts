import { StintError } from '../../../core/index.ts'

/** A script that a scripted model cannot follow. */
export class InvalidScriptError extends StintError<'invalid_script'> {
  readonly file: string

  /** `problem` is a clause: `turns[2].text is 5, but must be a text`. */
  constructor(file: string, problem: string, cause?: unknown) {
    super('invalid_script', `The script ${file} cannot be played: ${problem}.`, { cause })
    this.file = file
  }
}
