/** The last entry of a root's chain. */
export interface ChainHead {
  readonly place: number
  readonly hash: Uint8Array
}
