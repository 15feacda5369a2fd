import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { isPlainObject, showValue } from '../core/index.ts'
import type { Document } from '../documents/index.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import { pathFrom } from './path-from.ts'
import { problemAt } from './problem-at.ts'
import { problemsFrom, unknownKey } from './problems-from.ts'
import type { Reading, Setting } from './setting.ts'
import { type RunLimits, readRunLimits } from './settings/limits.ts'
import { SETTING_NAMES, SETTINGS, type SettingValues } from './settings.ts'

/** What one config file says. */
export type ConfigFile = Omit<SettingValues, '$schema' | 'limits' | 'execution_limits' | 'onLimit' | 'timeZone'> &
  RunLimits & {
    readonly file: string
    readonly layer: 'user' | 'project'
    /**
     * The short names of models from an untrusted file, each with its place: they may only name models that have a
     * price.
     */
    readonly untrustedModels: ReadonlyMap<string, string>
  }

/** Reads a config file. Throws one `InvalidConfigError` with everything that is wrong. */
export function parseConfig(document: Document, layer: 'user' | 'project', homeFolder: string): ConfigFile {
  const problems: ConfigProblem[] = []
  const pathOf = (path: string): string => pathFrom(path, dirname(document.file), homeFolder)
  const reading: Reading = { document, layer, pathOf, problems }
  const written = writtenSettings(document, problems)
  const read = SETTING_NAMES.map((name) => [name, readSetting(name, SETTINGS[name], written[name], reading)])
  const { $schema, limits, execution_limits, onLimit, timeZone, ...values } = Object.fromEntries(read) as SettingValues
  const runLimits = readRunLimits({ limits, execution_limits, onLimit, timeZone }, reading)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  return { ...values, ...runLimits, file: document.file, layer, untrustedModels: new Map() }
}

/** A file with only comments sets nothing. */
function writtenSettings(document: Document, problems: ConfigProblem[]): Readonly<Record<string, unknown>> {
  const value = document.value ?? {}
  if (!isPlainObject(value)) {
    const message = `${showValue(value)} is not an object with some of ${SETTING_NAMES.join(', ')}.`
    problems.push(problemAt(document, [], value, message))
    return {}
  }
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(SETTINGS, key))
  problems.push(...unknown.map((key) => unknownKey(document, [key], SETTING_NAMES, false)))
  return value
}

function readSetting<Written, Value>(
  name: string,
  setting: Setting<Written, Value>,
  written: unknown,
  reading: Reading,
): Value {
  if (written === undefined) return setting.none
  const { document, problems } = reading
  // A config is read once: compiling its schema would take longer.
  const { data, error } = z.safeParse(setting.schema, written, { jitless: true, reportInput: true })
  if (error === undefined) return setting.read(data, reading)
  const { isSecret = false, isByName = false } = setting
  problems.push(...problemsFrom(error.issues, { document, path: [name], value: written, isSecret }))
  // Read the other names anyway, to report every problem at once.
  const wrong = error.issues.map(({ path }) => path[0])
  if (isByName && !wrong.includes(undefined)) {
    const others = Object.entries(written as object).filter(([key]) => !wrong.includes(key))
    readSetting(name, setting, Object.fromEntries(others), reading)
  }
  return setting.none
}
