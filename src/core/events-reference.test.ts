import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventDraftFixture, FULL_EVENT_FIELDS } from './events/event.fixture.ts'
import { EVENT_NAMES } from './events/event-names.ts'

const page = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8')

/** The rows of the table below a heading, as cells. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.match(/^\| `.*\|$/gm) ?? []
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
const namesBelow = (heading: string) => tableBelow(heading).map(([cell]) => namesIn(cell!)[0]!)
const progress = namesBelow('Progress fields')
const limit = [...progress, ...namesBelow('Limit fields')]

/** The fields that a row of the big table names. Text in brackets explains a field. */
function fieldsIn(cell: string): ReadonlySet<string> {
  const groups = [
    ...(cell.includes('[progress](#progress-fields)') ? progress : []),
    ...(cell.includes('[limit](#limit-fields)') ? limit : []),
  ]
  return new Set([...groups, ...namesIn(cell.replace(/ \([^)]*\)/g, ''))])
}

describe('docs/reference/events.md', () => {
  it('has a row for every event, in order, and no others', () => {
    expect(namesBelow('The events')).toEqual(EVENT_NAMES)
  })

  it('names the fields of every event', () => {
    const header = Object.keys(eventDraftFixture('alert_raised')).filter(
      (key) => !Object.hasOwn(FULL_EVENT_FIELDS.alert_raised, key),
    )
    expect(namesBelow('Fields of every event').sort()).toEqual([...header, 'seq'].sort())
  })

  it.each(EVENT_NAMES)('names the fields of %s', (name) => {
    const row = tableBelow('The events').find(([cell]) => cell === `\`${name}\``)!
    expect([...fieldsIn(row[2]!)].sort()).toEqual(Object.keys(FULL_EVENT_FIELDS[name]).sort())
  })
})
