/** What becomes of an answer. `refused` and `answered` are no faults. */
export type Fate =
  | 'answered'
  /** An error status before the first byte: nothing was generated. */
  | 'refused'
  /** Generated and billed, and nothing arrives. */
  | 'lost'
  /** Generated and billed, and a proxy in between gives up on it with a status of its own. */
  | 'timed-out'
  /** The stream ends after its beginning, in which the input was reported. */
  | 'truncated'
  /** The stream ends with an error status after its first byte. */
  | 'broken'
  /** The answer is whole, and its usage is no usage. */
  | 'malformed'
  /** More output than the provider's own cap. */
  | 'oversized'
