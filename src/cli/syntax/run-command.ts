import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'

/** Runs a command and prints its report. Passed to each command when it is added to the program. */
export type RunCommand = (command: Command, work: (context: CommandContext) => Promise<Report>) => Promise<void>
