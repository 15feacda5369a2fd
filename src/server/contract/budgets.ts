import * as z from 'zod/mini'
import { list } from './fields.ts'
import { scope } from './scopes.ts'

export const budgetList = z.object({ budgets: list(scope) })

export const budget = z.object({ budget: scope, /** Those that spend from it now. */ runs: list(scope) })
