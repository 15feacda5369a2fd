import type { InvalidConfigError } from '../../config/invalid-config-error.ts'
import { storeText } from '../../config/store-address.ts'
import { isStintError } from '../../core/index.ts'
import { type Finding, fine, problem } from '../../operate/health/finding.ts'
import type { CommandContext } from '../command-context.ts'

/** The config files that were found, or the problems with them. */
export function checkConfig(context: CommandContext): readonly Finding[] {
  try {
    const { files, store, log, prices, budgets } = context.config()
    const read = files.map(({ file, layer }) => fine(`config (${layer})`, file))
    const counts = [
      ...(prices.size === 0 ? [] : [fine('prices', `${prices.size} of your own`)]),
      ...(budgets.size === 0 ? [] : [fine('budgets', `${budgets.size} in the config`)]),
    ]
    return [
      ...(read.length === 0 ? [fine('config', 'no file; defaults, environment and flags apply')] : read),
      ...counts,
      fine('store', `${storeText(store.address)}, from ${store.place}`),
      fine('log', log === null ? 'switched off' : log.file),
    ]
  } catch (error) {
    if (isStintError<InvalidConfigError>(error, 'invalid_config')) {
      const { problems } = error
      return problems.map(({ place, message }) => problem('config', `${place}: ${message}`, 'Fix it there.'))
    }
    if (isStintError(error, 'invalid_option')) {
      return [problem('store', error.message, 'Set the store as the message says.')]
    }
    throw error
  }
}
