/** The part of a test runner that the suite needs: vitest, Jest, Bun, or `node:test` with the package `expect`. */
export interface TestTools {
  describe(title: string, body: () => void): void
  it(title: string, body: () => Promise<void>): void
  expect(value: unknown): Expectation
}

/** The matchers that are used, with the meaning of vitest and Jest. */
export interface Expectation {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toMatchObject(expected: object): void
  toHaveLength(length: number): void
  readonly rejects: { toThrow(message: RegExp): Promise<void> }
}
