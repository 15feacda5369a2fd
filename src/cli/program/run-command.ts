import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'

/** Runs what a command does and shows what it has to say. Given to each command when it is put on the program. */
export type RunCommand = (command: Command, work: (context: CommandContext) => Promise<Report>) => Promise<void>
