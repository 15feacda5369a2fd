import { type Acceptance, type Agent, type Criterion, parseAcceptance, type VerifyCommand } from '../../agents/index.ts'
import type { ChildRequest } from '../run/run-request.ts'

/**
 * The contract of a run: that of the call instead of the agent's own, or both if the call may only add. `false` means
 * none. Throws `InvalidOptionError`.
 */
export function resolveAcceptance({ agent, acceptance, contract }: ChildRequest): Acceptance | null {
  const own = ownOf(agent)
  const given = acceptance === undefined || acceptance === false ? acceptance : parseAcceptance(acceptance)
  const order = given ?? contract
  if (order === undefined) return own
  if (order === false) return null
  return order.onlyAdds === true && own !== null ? withAddition(own, order) : order
}

/** Agents of runs from older versions have none. */
function ownOf({ acceptance = null }: Partial<Agent>): Acceptance | null {
  return acceptance
}

/** Adds what a model or an untrusted file asks for to an agent's own contract. */
function withAddition(own: Acceptance, added: Acceptance): Acceptance {
  return {
    criteria: joined<Criterion>(own.criteria, added.criteria),
    evidence: [...new Set([...own.evidence, ...added.evidence])],
    verify: joined<VerifyCommand>(own.verify, added.verify),
    review: own.review ?? added.review,
    stopRules: [...new Set([...own.stopRules, ...added.stopRules])],
    maxFinalizationTurns: own.maxFinalizationTurns,
  }
}

/** Ids stay unique: those of added items are changed. */
function joined<Item extends { readonly id: string }>(own: readonly Item[], added: readonly Item[]): readonly Item[] {
  const taken = new Set(own.map(({ id }) => id))
  return [...own, ...added.map((item) => ({ ...item, id: freeId(item.id, taken) }))]
}

function freeId(id: string, taken: Set<string>): string {
  let free = id
  for (let number = 2; taken.has(free); number++) free = `${id.slice(0, 58)}-${number}`
  taken.add(free)
  return free
}
