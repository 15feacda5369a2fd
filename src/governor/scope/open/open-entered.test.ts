import { expect, it } from 'vitest'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { createGovernor } from '../../create-governor.ts'
import { edgeOf } from '../../scope-edge.ts'

it('admits a registered scope when it is opened, even if it was looked up before', async () => {
  const governor = createGovernor({ store: createMemoryStore() })
  const group = await governor.open({ kind: 'group', name: 'group', limits: { tokens: 1_000 } })
  await edgeOf(group).enlist([{ name: 'a', id: 'a' }])
  expect(await governor.find('a')).not.toBeNull()
  const open = (tokens: number) => group.open({ name: 'a', id: 'a', needs: { tokens }, waitMs: 0 })
  await expect(open(2_000)).rejects.toThrow(/tokens limit of "group"/)
  expect((await open(500)).status()).toBe('running')
  await governor.close()
})
