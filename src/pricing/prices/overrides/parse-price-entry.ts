import { isPlainObject } from '../../../core/checks/is-plain-object.ts'
import { suggestName } from '../../../core/checks/suggest-name.ts'
import { longCacheWrite, shortCacheWrite } from '../cache-write-price.ts'
import type { TokenPrices } from '../model-price.ts'
import { FILE_SEARCH_NANO_USD, UNKNOWN_WEB_SEARCH_NANO_USD } from '../table-price.ts'
import type { PriceTier, TieredPrice } from '../tiered-price.ts'
import { parsePriceFigure } from './parse-price-figure.ts'
import type { PriceEntry } from './price-entry.ts'
import { invalidField, parseCacheWrites, parseCount, parseDay, parseFee, parseText, parseUnit } from './price-fields.ts'
import { ENTRY_KEYS, type FIGURES, TIER_KEYS } from './prices-schema.ts'

const MOST_TIERS = 8
const VALID_ENTRY = '{ input: 3, output: 15 }'

type Figure = (typeof FIGURES)[number]
type PlaceOf = (path: string) => string
type Written = Readonly<Record<string, unknown>>

/** Reads one written price of `model`. Throws `InvalidPriceError` with the place of the mistake. */
export function parsePriceEntry(model: string, value: unknown, placeOf: PlaceOf): PriceEntry {
  const isClaude = model.includes('claude')
  const written = requireObject(value, placeOf, ENTRY_KEYS, VALID_ENTRY)
  requireFigure(written, 'input', placeOf)
  requireFigure(written, 'output', placeOf)
  const from = parseDay(written.from, placeOf('.from'))
  return {
    ...completePrices(figureReader(written, placeOf), isClaude),
    provider: parseText(written.provider, placeOf('.provider')),
    from,
    asOf: parseDay(written.asOf, placeOf('.asOf')) ?? from,
    cacheWrites: parseCacheWrites(written.cacheWrites, placeOf('.cacheWrites')) ?? (isClaude ? 'marked' : 'automatic'),
    fees: {
      requestNanoUsd: parseFee(written.request, placeOf('.request')) ?? 0,
      webSearchNanoUsd: parseFee(written.webSearch, placeOf('.webSearch')) ?? UNKNOWN_WEB_SEARCH_NANO_USD,
      fileSearchNanoUsd: parseFee(written.fileSearch, placeOf('.fileSearch')) ?? FILE_SEARCH_NANO_USD,
    },
    contextWindow: parseCount(written.contextWindow, placeOf('.contextWindow')),
    maxOutputTokens: parseCount(written.maxOutputTokens, placeOf('.maxOutputTokens')),
    note: parseText(written.note, placeOf('.note')),
  }
}

function requireFigure(written: Written, name: 'input' | 'output', placeOf: PlaceOf): void {
  if (written[name] !== undefined) return
  const reason = 'is missing: a price needs both input and output; write 0 for what is free'
  throw invalidField(placeOf(`.${name}`), undefined, reason, VALID_ENTRY)
}

/** Reads a figure with its tiers; `null` if it is absent. */
function figureReader(written: Written, placeOf: PlaceOf): (name: Figure) => TieredPrice | null {
  const unit = parseUnit(written.per, placeOf('.per'))
  const tiers = parseTiers(written.tiers, placeOf)
  return (name) => {
    const isCached = name !== 'input' && name !== 'output'
    const context = { unit, isUnitWritten: written.per !== undefined, isCached }
    const read = (figure: unknown, path: string) =>
      parsePriceFigure(figure, { ...context, place: placeOf(`${path}.${name}`) })
    const priced = tiers.flatMap((tier, index): readonly PriceTier[] => {
      const figure = tier.written[name]
      return figure === undefined ? [] : [{ aboveTokens: tier.aboveTokens, picoUsd: read(figure, `.tiers[${index}]`) }]
    })
    if (written[name] !== undefined) return { basePicoUsd: read(written[name], ''), tiers: priced }
    if (priced.length === 0) return null
    const reason = 'is missing, though a tier has a price for it'
    throw invalidField(placeOf(`.${name}`), undefined, reason, `${name} next to the tiers as well`)
  }
}

function completePrices(figure: (name: Figure) => TieredPrice | null, isClaude: boolean): TokenPrices {
  const input = figure('input')!
  const output = figure('output')!
  const cacheWrite = figure('cacheWrite') ?? shortCacheWrite(input)
  return {
    input,
    output,
    cacheRead: figure('cacheRead') ?? input,
    cacheWrite,
    cacheWrite1h: figure('cacheWrite1h') ?? longCacheWrite(input, cacheWrite, isClaude),
    reasoning: figure('reasoning') ?? output,
  }
}

interface WrittenTier {
  readonly aboveTokens: number
  readonly written: Written
}

function parseTiers(value: unknown, placeOf: PlaceOf): readonly WrittenTier[] {
  if (value === undefined) return []
  const validForm = '[{ above: 200000, input: 6, output: 22.5 }]'
  if (!Array.isArray(value) || value.length > MOST_TIERS) {
    throw invalidField(placeOf('.tiers'), value, `is not a list of at most ${MOST_TIERS} tiers`, validForm)
  }
  let last = 0
  return value.map((entry, index) => {
    const written = requireObject(entry, (path) => placeOf(`.tiers[${index}]${path}`), TIER_KEYS, validForm)
    const aboveTokens = parseCount(written.above, placeOf(`.tiers[${index}].above`))
    if (aboveTokens === null || aboveTokens <= last) {
      throw invalidField(placeOf(`.tiers[${index}].above`), written.above, 'is not above the tier before it', validForm)
    }
    last = aboveTokens
    return { aboveTokens, written }
  })
}

function requireObject(value: unknown, placeOf: PlaceOf, keys: readonly string[], validForm: string): Written {
  if (!isPlainObject(value)) {
    throw invalidField(placeOf(''), value, 'is not a price', validForm)
  }
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue
    const reason = `is not a field of a price (known: ${keys.join(', ')})`
    throw invalidField(placeOf(''), key, reason, validForm, suggestName(key, keys))
  }
  // A copy without a prototype: nothing inherited is read.
  return Object.assign(Object.create(null), value)
}
