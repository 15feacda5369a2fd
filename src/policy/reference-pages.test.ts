import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { METER_NAMES } from '../core/meter.ts'
import type { LimitsObject } from './formats/limits-input.ts'
import { DEFAULT_ROLE_LIMITS, DEFAULT_SUBAGENT_LIMITS, PRESETS } from './layers/presets.ts'
import { allowsPeriod, LIMIT_ALIASES, namedLimitsOf } from './limits/limit-names.ts'
import { PUBLISHED_RANGES } from './limits/published-ranges.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')

/** The cells of the rows of a Markdown table that begin with `cell`. */
function rowsOf(markdown: string, cell: string): readonly (readonly string[])[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith(`| ${cell} |`))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim()),
    )
}

describe('docs/reference/limits.md', () => {
  it.each(METER_NAMES)('has a row for %s with all its names and whether it takes a period', (meter) => {
    const [row] = rowsOf(page('limits.md'), `\`${meter}\``)
    for (const alias of LIMIT_ALIASES[meter]) expect(row![1]).toContain(`\`${alias}\``)
    expect(row![4]).toBe(allowsPeriod(meter) ? 'yes' : 'no')
  })

  it('names no other name in that table', () => {
    const known = new Set([...namedLimitsOf('native'), ...namedLimitsOf('claude-code')].map(({ name }) => name))
    for (const meter of METER_NAMES) {
      const [row] = rowsOf(page('limits.md'), `\`${meter}\``)
      const names = [...row![1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
      expect(names.filter((name) => !known.has(name))).toEqual([])
    }
  })

  it('states the published ranges', () => {
    for (const [name, { minimum, maximum }] of Object.entries(PUBLISHED_RANGES)) {
      const stated = page('limits.md').includes(`\`${name}\` ${minimum} to ${maximum}`)
      expect(stated || (name.endsWith('_cost_usd') && minimum === 0.01 && maximum === 100)).toBe(true)
    }
  })
})

describe('docs/reference/presets.md', () => {
  const cells = (name: string, { toolCalls, time = '–', cost = '–', onLimit }: LimitsObject) => [
    name,
    String(toolCalls),
    time,
    cost,
    onLimit,
  ]

  it.each(PRESETS.map((preset) => [preset.name, preset] as const))('has the row of %s', (name, { limits }) => {
    expect(rowsOf(page('presets.md'), name)).toEqual([cells(name, limits)])
  })

  it('has the rows for those without a role, and no others', () => {
    const agent = '(any other, in the runner)'
    const subagent = '(any other subagent, in the runner)'
    expect(rowsOf(page('presets.md'), agent)).toEqual([cells(agent, DEFAULT_ROLE_LIMITS)])
    expect(rowsOf(page('presets.md'), subagent)).toEqual([cells(subagent, DEFAULT_SUBAGENT_LIMITS)])
    expect(page('presets.md').match(/^\| .* \|$/gm)).toHaveLength(PRESETS.length + 3)
  })
})
