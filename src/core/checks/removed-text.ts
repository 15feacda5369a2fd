/** Stands where a key was. */
export const REMOVED = '[removed]'
