import type { Command } from 'commander'
import type { SuggestFlags } from '../limits/suggest.ts'
import type { TryFlags } from '../limits/try.ts'
import { examples, gather, LIMIT_FLAG } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint limits …`: what past runs say about limits. */
export function addLimits(program: Command, run: RunCommand): void {
  const limits = program
    .command('limits')
    .description('suggest limits from past runs, or try some on them')
    .addHelpText('after', examples('stint limits suggest developer', 'stint limits try developer --limit turns=12'))
  limits
    .command('suggest')
    .description('suggest limits that most successful work would have kept within, with the evidence')
    .argument('[AGENT]', 'an agent type (default: every agent that ran)')
    .option('--since <DURATION>', 'from runs that ended since, e.g. 7d', '30d')
    .option('--quantile <SHARE>', 'the share of successful work that a limit lets finish (default: 0.95)')
    .option('--write', "write them into the agent's file in .stint/agents")
    .option('--meter <METER>', 'what to write: toolCalls, time, cost (default: these), modelCalls, tokens', gather)
    .option('--user', 'the file in your home folder instead')
    .addHelpText(
      'after',
      examples(
        'stint limits suggest',
        'stint limits suggest developer --quantile 0.9',
        'stint limits suggest developer --write',
      ),
    )
    .action((agent: string | undefined, options: SuggestFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../limits/suggest.ts')).showSuggestions(context, agent ?? null, options),
      ),
    )
  limits
    .command('try')
    .description('show which past runs these limits would have cut, and what that would have saved')
    .argument('<AGENT>', 'an agent type')
    .requiredOption(LIMIT_FLAG, 'a limit; can be repeated', gather)
    .option('--since <DURATION>', 'runs that ended since, e.g. 7d', '30d')
    .addHelpText('after', examples('stint limits try developer --limit turns=12 --limit cost=0.50'))
    .action((agent: string, options: TryFlags, command: Command) =>
      run(command, async (context) => (await import('../limits/try.ts')).showTried(context, agent, options)),
    )
}
