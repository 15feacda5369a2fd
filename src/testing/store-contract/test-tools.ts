/** What the suite needs of a test runner: vitest, Jest, Bun, or `node:test` with the package `expect`. */
export interface TestTools {
  describe(title: string, body: () => void): void
  it(title: string, body: () => Promise<void>): void
  expect(value: unknown): Expectation
}

/** The few things that are expected, in the meaning that vitest and Jest give them. */
export interface Expectation {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toMatchObject(expected: object): void
  toHaveLength(length: number): void
  readonly rejects: { toThrow(message: RegExp): Promise<void> }
}
