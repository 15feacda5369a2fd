import type { Command } from 'commander'
import type { CreateKeyOptions } from '../commands/keys.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint keys …`: who can spend from which scope through the gateway. */
export function addKeys(program: Command, run: RunCommand): void {
  const keys = program
    .command('keys')
    .description('create and revoke keys for the gateway, the dashboard and the HTTP API')
    .addHelpText('after', examples('stint keys create team:core --name ci --expires 30d', 'stint keys list'))
  keys
    .command('create')
    .description('create a key that spends from a scope, or with --role one for the dashboard; it is shown only once')
    .argument('[SCOPE]', `${SCOPE_ARGUMENT}; with --role, everything by default`)
    .option('--role <ROLE>', 'a key for the dashboard and the HTTP API: viewer, operator or admin')
    .option('--name <NAME>', 'what it is for, e.g. ci')
    .option('--expires <DURATION>', 'how long it is valid, e.g. 30d (default: until revoked)')
    .addHelpText(
      'after',
      examples(
        'stint keys create team:core',
        'stint keys create user:ann --name laptop --json',
        'stint keys create --role admin',
      ),
    )
    .action((scope: string | undefined, options: CreateKeyOptions, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).createKey(context, scope, options)),
    )
  keys
    .command('list')
    .description('list every key: its scope, who created it, and whether it is valid; never the key itself')
    .addHelpText('after', examples('stint keys list --json'))
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).listKeys(context)),
    )
  keys
    .command('revoke')
    .description('revoke a key; a running gateway refuses it within a second')
    .argument('<ID>', 'the id of the key, or its beginning')
    .addHelpText('after', examples('stint keys revoke 3f2a'))
    .action((id: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../commands/keys.ts')).revokeKey(context, id)),
    )
}
