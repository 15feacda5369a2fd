import { createMemoryStore } from '../../src/stores/memory/index.ts'
import { describeLaws } from './describe-laws.ts'

describeLaws('the memory store', createMemoryStore, 3_000)
