/** Replaces a removed key. */
export const REMOVED = '[removed]'
