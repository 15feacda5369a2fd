/** The effective depth of an agent: its own limit may only tighten what it inherits. `null` means unlimited. */
export function tightenDepth(inherited: number | null, own: number | null): number | null {
  if (inherited === null) return own
  return own === null ? inherited : Math.min(inherited, own)
}
