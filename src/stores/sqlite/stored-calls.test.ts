import { expect, it } from 'vitest'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { editLedger, ledgerFile, openLedger, valueIn } from './ledger-file.fixture.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const about = { call: 'model', name: 'opus', phase: 'execution' } as const
const result = { ending: 'answered', usage: { inputTokens: 9 }, price: 'table' } as const

it('a call is stored without what follows from the rest, and reads as it was, also as earlier versions wrote it', async () => {
  const file = ledgerFile()
  const ledger = createContractLedger(openLedger(file))
  await ledger.open('run')
  const calls = {
    answered: { about, result },
    planned: { about: { ...about, phase: 'planning' }, result: { ...result, ending: 'cut' } },
    bare: { about: { call: 'tool', name: 'read' }, result: { ending: 'answered' } },
    unknown: { about: { call: 'model', name: null }, result: { ending: 'failed' } },
  } as const
  for (const [reservationId, call] of Object.entries(calls)) {
    await ledger.reserve('run', { tokens: 9 }, { reservationId, about: call.about })
    await ledger.settle(reservationId, { actual: { tokens: 5 }, result: call.result })
  }
  const read = async () => {
    const found = await createContractLedger(openLedger(file)).store.reservations({ state: 'settled' })
    return Object.fromEntries(found.map((call) => [call.id, { about: call.about, result: call.result }]))
  }
  const stored = (column: string): unknown => valueIn(file, `SELECT group_concat(${column}, ' ') FROM calls`)
  expect(stored('about')).toBe('["model","opus",null,1] ["model","opus",null,0] ["tool","read"] ["model"]')
  expect(stored("coalesce(ending, '-')")).toBe('- cut answered failed')
  expect(await read()).toEqual(calls)
  editLedger(
    file,
    `UPDATE calls SET ending = 'answered', about = '["model","opus",null,"execution"]' WHERE id = 'answered'`,
  )
  expect(await read()).toEqual(calls)
  expect(verifyLedger(file).problems).toEqual([])
})
