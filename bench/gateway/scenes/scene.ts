/** A part of the gateway's benchmark that can be played by itself. */
export interface Scene {
  readonly name: string
  /** Plays it and prints its figures. Returns a verdict for each figure that is judged. */
  play(): Promise<readonly boolean[]>
}
