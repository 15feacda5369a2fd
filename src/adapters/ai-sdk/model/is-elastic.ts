/** Whether a meter counts what the output cap of a call bounds, and a shorter prompt spares: tokens, or their cost. */
export function isElastic(meter: string): boolean {
  return /tokens$|cost$/i.test(meter)
}
