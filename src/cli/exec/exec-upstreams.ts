import { piUpstreams, readUpstreams } from '../../gateway/exec/index.ts'
import type { Upstreams } from '../../gateway/gateway.ts'
import type { CommandContext } from '../command-context.ts'
import { InvalidConfigError } from '../config/invalid-config-error.ts'
import { upstreamsFrom } from '../serve/upstreams-from.ts'
import type { ExecPlan } from './exec-plan.ts'

/** Where the calls of the command go: what its environment or its own files name, then the config, then the public ones. */
export function execUpstreams({ platform, config }: CommandContext, { command, args }: ExecPlan): Upstreams {
  const { env, homeFolder } = platform
  return piUpstreams({ command, args, env, homeFolder }, readUpstreams(env, configuredUpstreams(config(), env)))
}

/** The upstreams that the config names, with their keys. */
export function configuredUpstreams(...[config, env]: Parameters<typeof upstreamsFrom>): Upstreams {
  if (config.upstreams.size === 0) return {}
  const { upstreams, problems } = upstreamsFrom(config, env)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  return upstreams
}

/** The variables in which the config looks for keys: they are kept from the command like every other. */
export function configuredKeys({ config }: CommandContext): readonly string[] {
  return [...config().upstreams.values()].flatMap(({ key }) => (key?.kind === 'variable' ? [key.name] : []))
}
