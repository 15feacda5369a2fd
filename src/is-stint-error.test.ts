import { expect, expectTypeOf, it } from 'vitest'
import {
  type Breach,
  type ErrorByCode,
  type ErrorCode,
  isStintError,
  type LimitExceededError,
  parseLimits,
  StintError,
} from './index.ts'

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

it('narrows an error to the class of the code that was asked for', () => {
  const error = thrownBy(() => parseLimits({ turns: -1 }))
  if (!isStintError(error, 'invalid_limit')) throw error
  expect(error.problems).toMatchObject([{ value: -1 }])
  expectTypeOf(error.code).toEqualTypeOf<'invalid_limit'>()
  expectTypeOf(error.problems[0]!.place).toEqualTypeOf<string>()
})

it('narrows to the class by every code that has one, and to the code alone elsewhere', () => {
  expectTypeOf<ErrorByCode['limit_exceeded']['breaches'][0]>().toEqualTypeOf<Breach>()
  expectTypeOf<ErrorByCode['limit_exceeded']>().toExtend<LimitExceededError>()
  expectTypeOf<ErrorByCode['ledger_damaged']['file']>().toEqualTypeOf<string>()
  expectTypeOf<ErrorByCode['ledger_damaged']['code']>().toEqualTypeOf<'ledger_damaged'>()
  expectTypeOf<ErrorByCode['store_busy']>().toExtend<StintError<'store_busy'>>()
  expectTypeOf<keyof ErrorByCode>().toEqualTypeOf<ErrorCode>()
})

it('is true for the code that was asked for alone, and without one for every error of Stint', () => {
  const error: unknown = new StintError('store_busy', 'text')
  expect([
    isStintError(error, 'store_busy'),
    isStintError(error, 'not_paused'),
    isStintError(new Error('text')),
  ]).toEqual([true, false, false])
  if (!isStintError(error)) throw error
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>()
})
