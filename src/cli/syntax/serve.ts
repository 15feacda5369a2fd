import type { Command } from 'commander'
import { DEFAULT_HOST, DEFAULT_PORT } from '../serve/default-address.ts'
import type { ServeFlags } from '../serve/serve.ts'
import { examples, gather } from './help-text.ts'
import type { RunCommand } from './run-command.ts'

/** `stint serve`: the dashboard, the HTTP API, and the gateway for clients that have a key. */
export function addServe(program: Command, run: RunCommand): void {
  program
    .command('serve')
    .description('start the dashboard, its HTTP API, and the gateway for clients with a key')
    .option('--host <ADDRESS>', 'the address to listen on', DEFAULT_HOST)
    .option('--port <PORT>', 'the port to listen on; 0 takes a free one', String(DEFAULT_PORT))
    .option('--allow-remote', 'allow an address that others on the network can reach, without encryption')
    .option('--allow-host <NAME>', 'a host name that clients use; can be repeated', gather)
    .option('--tls-cert <FILE>', 'the certificate for HTTPS, with its chain, in PEM')
    .option('--tls-key <FILE>', 'the private key of the certificate, in PEM')
    .option('--behind-proxy <NAME>', 'the name under which a proxy that speaks HTTPS serves it')
    .option('--grace <DURATION>', 'how long requests in flight may take to finish when it is stopped', '30s')
    .addHelpText('after', examples('stint serve', 'stint serve --port 8080 --behind-proxy stint.example.com'))
    .action((options: ServeFlags, command: Command) =>
      run(command, async (context) => {
        const { serve } = await import('../serve/serve.ts')
        return serve(context, options, command)
      }),
    )
}
