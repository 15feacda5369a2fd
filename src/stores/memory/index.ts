export { createMemoryStore } from './create-memory-store.ts'
export type { MemoryStoreOptions } from './ledger.ts'
