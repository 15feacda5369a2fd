import { join } from 'node:path'
import { isPlainObject, showValue } from '../../../core/index.ts'
import { writeWhole } from '../../../system/write-whole.ts'
import { followPointer } from '../chain/json-pointer.ts'
import { fillTemplate } from '../chain/template.ts'
import { keyWord } from '../child-id.ts'
import { type OutputValue, textOfValue } from './output-values.ts'
import { StepError } from './step-error.ts'

/** The values of the names in a template. */
export interface TemplateValues {
  readonly task: string
  readonly previous: OutputValue | null
  readonly outputs: ReadonlyMap<string, OutputValue>
  /** `{chain_dir}` */
  readonly sharedFolder: string
  readonly item?: { readonly name: string; readonly key: string; readonly value: unknown }
}

const LONGEST_TASK = 1024 * 1024
// Several values go into one task, and the task into every request of the agent.
const LONGEST_VALUE = 128 * 1024

/** A task with its names filled in. Throws `StepError` for a missing part of an item, or if it gets too long. */
export function fillTask(template: string, values: TemplateValues): string {
  const text = fillTemplate(template, (name, path) => shortened(valueFor(name, path, values), name, path, values))
  if (text.trim() === '') throw new StepError('the task is empty once its names are filled in.')
  if (text.length <= LONGEST_TASK) return text
  throw new StepError(
    `the task has ${text.length} characters once its names are filled in; the limit is ${LONGEST_TASK}.`,
  )
}

function valueFor(name: string, path: string | null, values: TemplateValues): string {
  const { task, previous, outputs, sharedFolder, item } = values
  if (item !== undefined && name === item.name) return itemText(item.value, path, name)
  if (name === 'task') return task
  if (name === 'previous') return previous?.text ?? ''
  if (name === 'chain_dir') return sharedFolder
  return outputs.get(path ?? '')?.text ?? ''
}

function itemText(item: unknown, path: string | null, name: string): string {
  if (path === null) return textOfValue(item)
  const found = followPointer(item, `/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '/')}`)
  if (found.kind === 'found') return textOfValue(found.value)
  const has = isPlainObject(item) ? `It has ${Object.keys(item).slice(0, 10).join(', ')}.` : `It is ${showValue(item)}.`
  throw new StepError(`{${name}.${path}}: an item has no such part. ${has}`)
}

/** A value that is too long is stored in full in a file that the agents share, and the task names it. */
function shortened(text: string, name: string, path: string | null, values: TemplateValues): string {
  const { sharedFolder, task, item } = values
  if (text.length <= LONGEST_VALUE || text === task) return text
  // Every item of a fan-out has its own file.
  const words = [name, ...(item?.name === name ? [item.key] : []), ...(path === null ? [] : [path])]
  const file = join(sharedFolder, `${keyWord(words.join('-'))}.md`)
  writeWhole(file, text)
  const left = text.length - LONGEST_VALUE
  return `${text.slice(0, LONGEST_VALUE)}\n[cut: ${left} more characters; the whole text is in ${file}]`
}
