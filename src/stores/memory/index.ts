export { createMemoryStore, type MemoryStoreOptions } from './create-memory-store.ts'
