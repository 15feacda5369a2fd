import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ClientChanges, PlannedCommand } from './client.ts'
import { createOverlayFolder } from './overlay-folder.ts'

// Other users of the machine could read the run's key in arguments and files, so those only name this variable.
const KEY_VARIABLE = 'STINT_KEY'
const FOLDER_VARIABLE = 'CODEX_HOME'
const CONFIG = 'config.toml'

/**
 * Codex reads its providers from its settings only, and its built-in provider ignores every address, so we add one.
 * Without a key in the environment, it uses its own login. Behind a shell, npx or node we cannot add arguments: then
 * the provider goes into a config file.
 */
export function prepareCodex(planned: PlannedCommand): ClientChanges {
  const settings = providerSettings(planned)
  const env = { [KEY_VARIABLE]: planned.key }
  if (basename(planned.command) === 'codex') {
    const top = ['model_provider="stint"', ...settings.map((setting) => `model_providers.stint.${setting}`)]
    // First, so that it applies to every subcommand.
    return { args: [...top.flatMap((setting) => ['-c', setting]), ...planned.args], env }
  }
  if (!planned.args.some(namesCodex)) return {}
  const real = planned.env[FOLDER_VARIABLE] || join(planned.homeFolder, '.codex')
  const text = withProvider(readOr(join(real, CONFIG)), settings)
  const { folder, cleanUp } = createOverlayFolder({
    client: 'codex',
    stateFolder: planned.stateFolder,
    real,
    keeps: ['sessions'],
    file: { name: CONFIG, text },
  })
  return { env: { ...env, [FOLDER_VARIABLE]: folder }, cleanUp }
}

function providerSettings({ env, gatewayUrl }: PlannedCommand): readonly string[] {
  const login = env.OPENAI_API_KEY ? 'env_key="OPENAI_API_KEY"' : 'requires_openai_auth=true'
  return [
    'name="OpenAI through Stint"',
    `base_url=${JSON.stringify(`${gatewayUrl}/openai/v1`)}`,
    `env_http_headers={x-stint-key=${JSON.stringify(KEY_VARIABLE)}}`,
    'wire_api="responses"',
    'supports_websockets=false',
    login,
  ]
}

/** `codex`, `@openai/codex@latest`, `./node_modules/.bin/codex.js`, also inside a shell command line. */
function namesCodex(arg: string): boolean {
  return /(?:^|[\s/'"])codex(?:\.[cm]?js)?(?:$|[\s'"@;&|])/.test(arg)
}

const KEY = String.raw`(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')`
const DOTTED_KEY = String.raw`${KEY}(?:[ \t]*\.[ \t]*${KEY})*`
const LINE = new RegExp(String.raw`^[ \t]*(${DOTTED_KEY})[ \t]*=.*$`, 'gm')
// In an inline table, e.g. `fast = { model_provider = "mine" }`.
const WITHIN_LINE = new RegExp(String.raw`([{,][ \t]*(${DOTTED_KEY})[ \t]*=[ \t]*)${KEY}`, 'g')
const LAST_KEY = new RegExp(`${KEY}$`)

/** The user's config with our provider instead of the ones that it or its profiles choose. */
function withProvider(config: string, settings: readonly string[]): string {
  const others = config
    .replace(LINE, (line, key: string) => (choosesProvider(key) ? '' : line))
    .replace(WITHIN_LINE, (found, before: string, key: string) => (choosesProvider(key) ? `${before}"stint"` : found))
  return `model_provider = "stint"\n${others}\n[model_providers.stint]\n${settings.join('\n')}\n`
}

/** Whether the last key is `model_provider`, also with quotes or escapes, as in `profiles.fast.model_provider`. */
function choosesProvider(dotted: string): boolean {
  const last = LAST_KEY.exec(dotted)?.[0] ?? ''
  return unquoted(last) === 'model_provider'
}

function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1)
  if (!key.startsWith('"')) return key
  const long = /\\U0{4}([\da-f]{4})/gi
  try {
    return String(JSON.parse(key.replace(long, '\\u$1')))
  } catch {
    return key.slice(1, -1)
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
