import { record, refused, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'

const MOST_MODELS = 200

export const MODELS = setting({
  schema: record(
    text(
      refused('a short name', 'letters, digits, dots, dashes and underscores, at most 64'),
      '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    ),
    // PROVIDER/MODEL, a name that only one provider has, or another short name.
    text(refused('a model', 'PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5-5'), '^[!-~]{1,265}$'),
    MOST_MODELS,
    refused(`a set of at most ${MOST_MODELS} short names`, 'e.g. { default: anthropic/claude-sonnet-5-5 }'),
  ),
  description:
    'Short names of [models](models.md), `default`, `haiku`, `sonnet`, `opus` or any other word: see [below](#models-and-providers)',
  twoFiles: 'per name, the later one',
  untrusted: 'names that you have not defined, of models that have a price',
  none: new Map(),
  read: (written): ReadonlyMap<string, string> => new Map(Object.entries(written)),
})
