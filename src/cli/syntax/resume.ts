import type { Command } from 'commander'
import type { ResumeFlags } from '../commands/resume.ts'
import { examples, gather, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint resume ID`: wakes the process of a paused scope, continues an agent, or restarts the command of `exec`. */
export function addResume(program: Command, run: RunCommand): void {
  program
    .command('resume')
    .description('resume a paused scope; an agent whose process has ended continues here, a command is restarted')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--add <KEY=VALUE>', 'raise a limit by this much first; can be repeated', gather)
    .option('--base-url <URL>', 'the address for an agent’s requests; needed again if it was started with one')
    .option('--background', 'continue an agent without this terminal (default: as it was started)')
    .option('--foreground', 'continue an agent here, however it was started')
    .addHelpText('after', examples('stint resume team:core/triage', 'stint resume 3f2a --add turns=10'))
    .action((id: string, flags: ResumeFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/resume.ts')).resume(context, id, flags, command)),
    )
}
