import { describe, expect, it } from 'vitest'
import { HANDOFFS_RULE } from './handoffs-rule.ts'

describe('handoffs', () => {
  it('reads agents with and without limits', () => {
    const written = { explore: { messages: 10 }, qa: {} }
    expect(HANDOFFS_RULE.read(written)).toEqual({ value: written })
  })

  it('names the invalid limit, and omits the agents after it', () => {
    const written = { explore: { mesages: 10 }, qa: {}, developer: { cost: 'much', turns: 5 } }
    expect(HANDOFFS_RULE.read(written)).toBeNull()
    expect(HANDOFFS_RULE.problems!(written)).toEqual([
      { field: 'explore.mesages', value: 10, message: expect.stringContaining('"messages"') },
      { field: 'developer.cost', value: 'much', message: expect.stringContaining('much') },
    ])
  })

  it('names an invalid agent name, and limits that are not limits', () => {
    const written = { 'not a name!': {}, explore: 10 }
    expect(HANDOFFS_RULE.read(written)).toBeNull()
    expect(HANDOFFS_RULE.problems!(written)).toEqual([
      { field: 'not a name!', value: 'not a name!', message: '"not a name!" is not an agent\'s name.' },
      { field: 'explore', value: 10, message: expect.stringMatching(/^10 is not an object of limits\. Write/) },
    ])
  })
})
