import { existsSync } from 'node:fs'
import { isPlainObject } from '../../core/index.ts'
import type { Upstream, Upstreams } from '../../gateway/gateway.ts'
import { PLACEHOLDER } from '../../system/provider-variables.ts'
import type { ClientChanges, PlannedCommand } from './client.ts'
import { createOverlayFolder } from './overlay-folder.ts'
import { isPi, PI_FOLDER_VARIABLE, type PiCommand, piFolder, piKey, piProviders, readPiFile } from './pi-providers.ts'

const MODELS = 'models.json'

/** Where pi would have sent its calls, according to its models file. */
export function piUpstreams(planned: PiCommand, upstreams: Upstreams): Upstreams {
  if (!isPi(planned.command)) return upstreams
  const found: Partial<Record<keyof Upstreams, Upstream>> = {}
  for (const { through, settings } of piProviders(planned)) {
    const { baseUrl, authHeader } = settings
    if (typeof baseUrl !== 'string' || found[through] !== undefined) continue
    const apiKey = piKey(settings, planned.env)
    const header = authHeader === true ? ({ keyHeader: 'authorization' } as const) : {}
    found[through] = { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, ...header }
  }
  return { ...upstreams, ...found }
}

/**
 * Pi reads addresses from its models file only, so it gets a folder with another models file, in which everything else
 * is the user's (sessions, login, settings, extensions).
 */
export function preparePi(planned: PlannedCommand): ClientChanges {
  const real = piFolder(planned)
  if (!isPi(planned.command) && !existsSync(real)) return {}
  const text = `${JSON.stringify(governedModels(planned, real), null, 2)}\n`
  const file = { name: MODELS, text }
  const { folder, cleanUp } = createOverlayFolder({
    client: 'pi',
    stateFolder: planned.stateFolder,
    real,
    keeps: ['sessions'],
    file,
  })
  return { env: { [PI_FOLDER_VARIABLE]: folder }, cleanUp }
}

function governedModels(planned: PlannedCommand, real: string): object {
  const models = readPiFile(real, MODELS)
  const { providers } = models
  const governed = piProviders(planned).map(({ name, through, settings }) => {
    const key = piKey(settings, planned.env) === null ? {} : { apiKey: PLACEHOLDER }
    return [name, { ...settings, ...key, baseUrl: planned.addresses[through] }] as const
  })
  return { ...models, providers: { ...(isPlainObject(providers) ? providers : {}), ...Object.fromEntries(governed) } }
}
