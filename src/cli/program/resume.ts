import type { Command } from 'commander'
import type { ResumeFlags } from '../commands/resume.ts'
import { examples, gather, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint resume ID`: wakes the process of a paused scope, goes on with an agent, or starts the command of `exec` again. */
export function addResume(program: Command, run: RunCommand): void {
  program
    .command('resume')
    .description('let a paused scope go on; an agent whose process has ended goes on here, a command starts again')
    .argument('<ID>', SCOPE_ARGUMENT)
    .option('--add <KEY=VALUE>', 'how much more it may have of a limit first; may be given several times', gather)
    .option('--base-url <URL>', 'where the requests of an agent go: again, if it was begun with one')
    .option('--background', 'an agent goes on without this terminal; the default where it was begun so')
    .option('--foreground', 'an agent goes on here, however it was begun')
    .addHelpText('after', examples('stint resume team:core/triage', 'stint resume 3f2a --add turns=10'))
    .action((id: string, flags: ResumeFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/resume.ts')).resume(context, id, flags, command)),
    )
}
