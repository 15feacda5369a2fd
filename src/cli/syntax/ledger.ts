import type { Command } from 'commander'
import { examples } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint ledger`: what is done to a ledger as a whole. */
export function addLedger(program: Command, run: RunCommand): void {
  const ledger = program
    .command('ledger')
    .description('move a whole ledger into a database, and say who may do what there')
  ledger
    .command('copy')
    .description('copy a ledger in a file into an empty Postgres, and verify both')
    .argument('<FROM>', 'sqlite:PATH, which no living process may be using')
    .argument('<TO>', 'postgres://…, with no ledger in it, or an empty one')
    .addHelpText('after', examples('stint ledger copy sqlite:ledger.db postgres://stint@db.example.com/agents'))
    .action((from: string, to: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('../ledger/copy-ledger.ts')).copyLedger(context, from, to)),
    )
  ledger
    .command('roles')
    .description('print the SQL that lets others spend from a Postgres, or only look at it, with the least rights')
    .option('--schema <NAME>', 'where the tables are (default: the schema of the address, or public)')
    .addHelpText('after', examples('stint ledger roles | psql "$OWNER_URL"'))
    .action((options: { readonly schema?: string }, command: Command) =>
      run(command, async (context) => (await import('../ledger/ledger-roles.ts')).ledgerRoles(context, options)),
    )
}
