import { basename } from 'node:path'
import type { ClientChanges, PlannedCommand } from './client.ts'

// In arguments everybody on the machine could read the key of the run: there only this name stands.
const KEY_VARIABLE = 'STINT_KEY'

/**
 * Codex reads its providers from settings only, and reaches its built-in one past every address: it is given a
 * provider of its own. Where there is no key in the environment, its own login is used.
 */
export function prepareCodex({ command, args, env, gatewayUrl, key }: PlannedCommand): ClientChanges {
  if (basename(command) !== 'codex') return {}
  const login = env.OPENAI_API_KEY ? 'env_key="OPENAI_API_KEY"' : 'requires_openai_auth=true'
  const settings = [
    'model_provider="stint"',
    'model_providers.stint.name="OpenAI through Stint"',
    `model_providers.stint.base_url=${JSON.stringify(`${gatewayUrl}/openai/v1`)}`,
    `model_providers.stint.env_http_headers={x-stint-key=${JSON.stringify(KEY_VARIABLE)}}`,
    'model_providers.stint.wire_api="responses"',
    'model_providers.stint.supports_websockets=false',
    `model_providers.stint.${login}`,
  ]
  // Before everything else, so that it holds for whichever subcommand follows.
  return { args: [...settings.flatMap((setting) => ['-c', setting]), ...args], env: { [KEY_VARIABLE]: key } }
}
