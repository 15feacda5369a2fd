import { piUpstreams, readUpstreams } from '../../exec/index.ts'
import type { Upstreams } from '../../gateway/gateway.ts'
import type { CommandContext } from '../command-context.ts'
import { upstreamsFrom } from '../serve/upstreams-from.ts'
import type { ExecPlan } from './exec-plan.ts'

/**
 * Where the command's calls go: the addresses in its environment or its own files, then the config, then the public
 * ones.
 */
export function execUpstreams({ platform, config }: CommandContext, { command, args }: ExecPlan): Upstreams {
  const { env, homeFolder } = platform
  return piUpstreams({ command, args, env, homeFolder }, readUpstreams(env, configuredUpstreams(config(), env)))
}

/** A problem with one of them is reported when a request needs it. */
export function configuredUpstreams(...[config, env]: Parameters<typeof upstreamsFrom>): Upstreams {
  return config.upstreams.size === 0 ? {} : upstreamsFrom(config, env).upstreams
}

/** The variables in which the config looks for keys: withheld from the command like any other key. */
export function configuredKeys({ config }: CommandContext): readonly string[] {
  return [...config().upstreams.values()].flatMap(({ key }) => (key?.kind === 'variable' ? [key.name] : []))
}
