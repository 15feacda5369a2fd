import { describe, expect, it } from 'vitest'
import { keptAbout } from './scope-about.ts'

describe('the description of a scope', () => {
  it('is stored without keys, even if the text is cut in the middle of one', () => {
    const long = `login --password "${'x'.repeat(3_972)}" sk-ant-${'a1'.repeat(30)}`
    expect(keptAbout({ task: long })).toEqual({ task: 'login --password "[removed]" ' })
    expect(keptAbout({ command: 'a '.repeat(3_000) })!.command).toHaveLength(2_000)
  })

  it('never refuses a scope', () => {
    expect([keptAbout(null), keptAbout({ task: 5 }), keptAbout({ other: 'x' })]).toEqual([null, null, null])
  })
})
