/** How a command ends; docs/reference/cli.md explains each. */
export const EXIT = { done: 0, notWell: 1, badUsage: 2, stintFailed: 125 } as const
