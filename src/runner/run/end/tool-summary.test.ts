import { expect, it } from 'vitest'
import { toolSummary } from './tool-summary.ts'

it.each([
  [{ agent: 'explore', task: 'map the tests\nand more' }, 'explore: map the tests'],
  [
    {
      tasks: [
        { agent: 'explore', task: 'look', count: 4 },
        { agent: 'qa', task: 'try' },
      ],
    },
    '5 agents: explore ×4, qa',
  ],
  [{ tasks: [{ agent: 'qa', task: 'try' }] }, '1 agent: qa'],
  [{ chain: [{ agent: 'a' }, { parallel: [{ agent: 'b', count: 2 }, 'what'] }] }, '4 agents: a, b ×2, …'],
  [{ command: 'npm test', timeoutMs: 5 }, 'npm test'],
  [{ path: 'a.txt' }, 'a.txt'],
  ['text', '"text"'],
  [undefined, ''],
])('sums up a call with %j', (input, summary) => {
  expect(toolSummary(input)).toBe(summary)
})
