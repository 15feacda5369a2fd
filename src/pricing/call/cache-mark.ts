/** The longest cache lifetime that a request asks for. */
export type CacheMark = 'none' | '5m' | '1h'

export const CACHE_MARKS = ['none', '5m', '1h'] as const satisfies readonly CacheMark[]
