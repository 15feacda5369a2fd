import { isEnforced, type Limit } from '../../core/index.ts'
import { inLayer, tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { type AskAbove, type LayerInput, type ParsedLimits, parseAskAbove, resolveLimits } from '../../policy/index.ts'

/** How large a run may get before a person is asked: as written in a call, or read from files and flags. */
export type AskAboveInput = AskAbove | readonly ParsedLimits[]

/** How far a run may go before a person is asked; `null`: as far as its limits allow. */
export interface Threshold {
  readonly agents: Limit | null
  readonly cost: Limit | null
}

/** The layers for what was written in a call. Throws `InvalidLimitError`. */
export function askAboveLayers(written: AskAboveInput | undefined, call: string): readonly ParsedLimits[] {
  if (written === undefined) return []
  return isRead(written) ? written : [parseAskAbove(written, { layer: 'call', call })]
}

function isRead(written: AskAboveInput): written is readonly ParsedLimits[] {
  return Array.isArray(written)
}

export function thresholdFrom(layers: readonly LayerInput[]): Threshold {
  const { limits } = resolveLimits(layers)
  const of = (meter: Limit['meter']): Limit | null => limits.find((limit) => limit.meter === meter) ?? null
  return { agents: of('spawns'), cost: of('cost') }
}

/**
 * The limits that make a run ask: a limit on the number of agents with the action `ask`, below its existing limit,
 * which bounds what an approval can allow. `isCostly`: its plan costs too much to start any of it without asking.
 */
export function consentLayers(
  layers: readonly LayerInput[],
  { agents, cost }: Threshold,
  { isCostly = false }: { readonly isCostly?: boolean } = {},
): readonly ParsedLimits[] {
  const asking = isCostly && cost !== null ? { max: 0, source: { ...cost.source, written: 'agents' } } : agents
  if (asking === null) return []
  const hard = resolveLimits(layers).limits.find(
    ({ meter, per, action }) => meter === 'spawns' && per === null && isEnforced(action),
  )
  if (hard !== undefined && hard.max <= asking.max) return []
  const set = { kind: 'set', meter: 'spawns', per: null, timeZone: null, nearing: null } as const
  const nothing = { onLimit: null, nearing: null, timeZone: null } as const
  const own = { ...set, max: asking.max, action: 'ask', source: asking.source } as const
  return [
    ...(hard === undefined
      ? []
      : [inLayer(tagParsedLimits({ layer: 'call', entries: [{ ...hard, ...set }], ...nothing }), 'ceiling')]),
    tagParsedLimits({ layer: 'call', entries: [own], ...nothing }),
  ]
}
