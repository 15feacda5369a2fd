import { describe, expect, it } from 'vitest'
import { type LedgerStore, StintError } from '../../core/index.ts'
import { createOperator, NOW_MS } from '../operator.fixture.ts'
import { findScope } from './find-scope.ts'

describe('finding a scope', () => {
  it('looks for its id, its path or the start of its id, in that order', async () => {
    const operator = createOperator()
    await operator.open({ id: 'team', kind: 'lasting', owner: null })
    await operator.open({ id: 'run-1', name: 'triage' }, 'team')
    await operator.open({ id: 'team/triage-2', name: 'reader' })
    const idOf = async (text: string) => (await findScope(operator, text)).id
    expect(await idOf('run-1')).toBe('run-1')
    expect(await idOf('team/triage')).toBe('run-1')
    expect(await idOf('team/tri')).toBe('team/triage-2')
    await operator.open({ id: 'team/triage', name: 'writer' })
    expect(await idOf('team/triage')).toBe('team/triage')
  })

  it('prefers open scopes to ended ones', async () => {
    const operator = createOperator()
    for (const id of ['aa-old', 'aa-new', 'bb-old']) await operator.open({ id, name: 'triage' })
    for (const scopeId of ['aa-old', 'bb-old']) {
      await operator.store.close({ scopeId, status: 'completed', atMs: NOW_MS })
    }
    expect((await findScope(operator, 'aa')).id).toBe('aa-new')
    expect((await findScope(operator, 'triage')).id).toBe('aa-new')
    expect((await findScope(operator, 'bb')).id).toBe('bb-old')
  })

  it('does not read other scopes, however many there are', async () => {
    const operator = createOperator()
    for (let at = 0; at < 50; at++) await operator.open({ id: `run-${at}` })
    let read = 0
    const list: LedgerStore['list'] = async (filter) => {
      const scopes = await operator.store.list(filter)
      read += scopes.length
      return scopes
    }
    const counting = { ...operator, store: { ...operator.store, list } }
    expect((await findScope(counting, 'run-49')).id).toBe('run-49')
    await expect(findScope(counting, 'run-4')).resolves.toMatchObject({ id: 'run-4' })
    expect(read).toBe(0)
    await expect(findScope(counting, 'run')).rejects.toThrow(/"run" may mean 50 scopes[\s\S]*… and 40 more/)
    expect(read).toBe(10)
  })
})

describe('an unknown scope', () => {
  it('is refused with a suggestion of an open one', async () => {
    const operator = createOperator()
    await operator.open({ id: 'run-1', name: 'triage' })
    const error = await findScope(operator, 'triaeg').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StintError)
    expect(error).toMatchObject({
      code: 'unknown_scope',
      message: 'No scope has the id or path "triaeg". Did you mean "triage"? `stint status --all` lists them.',
    })
  })

  it('is refused in an empty ledger, and so is an empty text', async () => {
    await expect(findScope(createOperator(), 'x')).rejects.toThrow('The ledger is empty.')
    const operator = createOperator()
    await operator.open({ id: 'run-1' })
    await expect(findScope(operator, '')).rejects.toMatchObject({ code: 'unknown_scope' })
  })
})
