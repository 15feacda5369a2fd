import { describe, expect, it } from 'vitest'
import { splitArgs } from './split-args.ts'

describe('a command line', () => {
  it.each([
    ['exec --limit a=1 -- claude -p --json', 'exec --limit a=1', 'claude -p --json'],
    ['--store exec status --json', '--store exec status --json', null],
    ['--store x exec -- a -- b', '--store x exec', 'a -- b'],
    ['--json=x exec --', '--json=x exec', ''],
    ['exec', 'exec', ''],
    ['--json exec --limit a=1 -- b', 'exec --limit a=1 --json', 'b'],
    ['exec --json - --limit a=1 -- b --json', 'exec --limit a=1 --json', 'b --json'],
    ['exec --json=- -- b', 'exec --json', 'b'],
    ['exec --json r.json -- b', 'exec --json r.json', 'b'],
    ['explain -- exec', 'explain -- exec', null],
    ['-- exec', '-- exec', null],
    ['', '', null],
  ])('is only split if `exec` has a command: %s', (line, own, rest) => {
    const words = (text: string) => (text === '' ? [] : text.split(' '))
    expect(splitArgs(words(line))).toEqual({ own: words(own), rest: rest === null ? null : words(rest) })
  })
})
