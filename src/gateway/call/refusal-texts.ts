import { describeRemedy, describeSource } from '../../core/index.ts'
import { enforcedOnPath, runsAgent, type Scope } from '../../governor/index.ts'

/** A person has paused the scope, or the one above it with this id. */
export function pausedText(scope: Scope, pausedId: string): string {
  return `"${scope.path}" is paused by a person. It takes requests again after: stint resume ${pausedId}`
}

/** The scope takes no requests any more. */
export function endedText(scope: Scope): string {
  const remedy = runsAgent(scope) ? 'Start a new run.' : 'Ask the operator of the gateway for a key of another budget.'
  return `"${scope.path}" has ended (${scope.status()}), so that nothing more is let in. ${remedy}`
}

/** Fields of a request let the provider spend what no limit could be held to. */
export function unboundedText(scope: Scope, fields: readonly string[]): string {
  const limits = enforcedOnPath(scope).map(
    ({ scopePath, limit }) => `the ${limit.meter} limit of "${scopePath}" (set by ${describeSource(limit.source)})`,
  )
  const [first] = enforcedOnPath(scope)
  const remedy = first === undefined ? '' : ` ${describeRemedy(first.limit.source)}`
  const named = fields.join(', ')
  return (
    `Nothing in the request bounds what the provider may spend with ${named}, so that this could not be kept: ` +
    `${limits.join(', ')}. Leave ${named} out.${remedy}`
  )
}
