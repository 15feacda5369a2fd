import type { Trust } from '../../trust/index.ts'
import { type BelievedConfig, believedConfig } from './believed-config.ts'
import type { ConfigFile } from './config-file.ts'
import { parseConfig } from './parse-config.ts'
import { readDocument } from './read-document.ts'

/**
 * Reads one config file, of a project's what it is believed for. Throws `InvalidConfigError` with everything that is
 * wrong with it. Apart from what finds and merges configs, because reading one takes YAML.
 */
export function readConfigFile(
  file: string,
  layer: ConfigFile['layer'],
  homeFolder: string,
  trust: Trust,
): BelievedConfig {
  const document = readDocument(file)
  if (layer === 'project') return believedConfig(document, homeFolder, trust)
  return { file: parseConfig(document, layer, homeFolder), leftOut: [] }
}
