import {
  type Breaches,
  describeRemedy,
  describeRemedyForClient,
  describeSource,
  messageForClient,
} from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'

/** The scope of a request, and that of its key. */
export interface RefusedFor {
  readonly scope: Scope
  /** A shared budget: the client must ask the operator, who alone has the commands. */
  readonly keyScope: Scope
}

/** Limits refuse the request. */
export function breachedText({ keyScope }: RefusedFor, breaches: Breaches): string {
  return breaches.map((breach) => (edgeOf(keyScope).runsAgent ? breach.message : messageForClient(breach))).join('\n')
}

/** A person has paused the scope, or the one above it with this id. */
export function pausedText({ scope, keyScope }: RefusedFor, pausedId: string): string {
  const remedy = edgeOf(keyScope).runsAgent
    ? `To resume it: stint resume ${pausedId}`
    : `Ask the operator of this gateway to resume it (stint resume ${pausedId}).`
  return `"${scope.path}" was paused by a person. ${remedy}`
}

/** The scope has ended. */
export function endedText({ scope, keyScope }: RefusedFor): string {
  const remedy = edgeOf(keyScope).runsAgent
    ? 'Start a new run.'
    : 'Ask the operator of this gateway for a key of another budget.'
  return `"${scope.path}" has ended (${scope.status()}), so nothing more is admitted. ${remedy}`
}

/** Fields of a request let the provider spend an amount that no limit could hold. */
export function unboundedText({ scope, keyScope }: RefusedFor, fields: readonly string[]): string {
  const limits = edgeOf(scope)
    .enforcedOnPath()
    .map(
      ({ scopePath, limit }) =>
        `the ${limit.source.written} limit of "${scopePath}" (set by ${describeSource(limit.source)})`,
    )
  const [first] = edgeOf(scope).enforcedOnPath()
  const describe = edgeOf(keyScope).runsAgent ? describeRemedy : describeRemedyForClient
  const remedy = first === undefined ? '' : ` ${describe(first.limit.source)}`
  const named = fields.join(', ')
  return (
    `Nothing in the request bounds what the provider may spend with ${named}, so these limits could not be enforced: ` +
    `${limits.join(', ')}. Leave ${named} out.${remedy}`
  )
}
