import { UnknownModelError } from './unknown-model-error.ts'

/** A script says what an agent does: in a folder that is not trusted it would run whatever the folder's author likes. */
export function untrustedScript(name: string, place: string): UnknownModelError {
  const reason = `a file that is not trusted names a script that would speak instead of a model (${place})`
  return new UnknownModelError(
    name,
    reason,
    `Trust the folder (stint trust), or name the script yourself: --model ${name}.`,
  )
}
