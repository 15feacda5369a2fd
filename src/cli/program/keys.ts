import type { Command } from 'commander'
import type { CreateKeyOptions } from '../commands/keys.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint keys …`: who may spend from which scope through the gateway. */
export function addKeys(program: Command, run: RunCommand): void {
  const keys = program
    .command('keys')
    .description('give out and revoke the keys of the gateway')
    .addHelpText('after', examples('stint keys create team:core --name ci --expires 30d', 'stint keys list'))
  keys
    .command('create')
    .description('make a key that spends from a scope, and show it this once')
    .argument('<SCOPE>', SCOPE_ARGUMENT)
    .option('--name <NAME>', 'what it is for, e.g. ci')
    .option('--expires <DURATION>', 'how long it opens anything, e.g. 30d (default: until it is revoked)')
    .addHelpText('after', examples('stint keys create team:core', 'stint keys create user:ann --name laptop --json'))
    .action((scope: string, options: CreateKeyOptions, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).createKey(context, scope, options)),
    )
  keys
    .command('list')
    .description('show every key: what it spends from, who made it, whether it still opens anything; never the key')
    .addHelpText('after', examples('stint keys list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).listKeys(context)),
    )
  keys
    .command('revoke')
    .description('make a key worthless; a gateway that runs refuses it within a second')
    .argument('<ID>', 'the id of the key, or the beginning of it')
    .addHelpText('after', examples('stint keys revoke 3f2a'))
    .action((id: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).revokeKey(context, id)),
    )
}
