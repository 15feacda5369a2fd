import { isPlainObject, showValue } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** A short name is a word; what it means is `PROVIDER/MODEL`, a name that one provider has, or another short name. */
export const SHORT_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
export const MODEL_PATTERN = '^[!-~]{1,265}$'
export const MOST_MODELS = 200

/** Reads `models: { default: anthropic/…, sonnet: … }`. */
export function readModels(document: Document, value: unknown, problems: ConfigProblem[]): ReadonlyMap<string, string> {
  const models = new Map<string, string>()
  const form = 'short names with their models, e.g. { default: anthropic/claude-sonnet-5-5 }'
  if (!isPlainObject(value) || Object.keys(value).length > MOST_MODELS) {
    problems.push(problemIn(document, 'models', value, `${showValue(value)} is not ${form}.`))
    return models
  }
  for (const [name, model] of Object.entries(value)) {
    const field = fieldName('models', name)
    if (!new RegExp(SHORT_NAME_PATTERN).test(name)) {
      const message = `${showValue(name)} is no short name: letters, digits, dots, dashes and underscores, at most 64.`
      problems.push(problemIn(document, field, model, message))
    } else if (typeof model !== 'string' || !new RegExp(MODEL_PATTERN).test(model)) {
      const message = `${showValue(model)} is no model. Write PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5-5.`
      problems.push(problemIn(document, field, model, message))
    } else models.set(name, model)
  }
  return models
}
