/**
 * How often one request of an agent was sent. Retries, other models and a closing call in its place each count, and
 * each has its own reservation.
 */
export interface Attempts {
  sent: number
}

/** The number of the next attempt. The first has none, since nearly every call is a first attempt. */
export function nextAttempt({ sent }: Attempts): { readonly attempt?: number } {
  return sent === 0 ? {} : { attempt: sent + 1 }
}
