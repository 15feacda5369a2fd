import { printable } from '../../core/printable.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { claimFile, type Trust } from '../../trust/index.ts'
import { placeIn } from './document.ts'

/** The short names of models that a config gives a meaning to and is not believed for, with the place of each. */
export function modelPlaces(
  document: Document,
  models: ReadonlyMap<string, string>,
  trust: Trust,
): ReadonlyMap<string, string> {
  const file = claimFile(document.file)
  const untrusted = [...models].flatMap(([name, model]): readonly (readonly [string, string])[] => {
    const place = printable(placeIn(document, fieldName('models', name)))
    const allows = `means by ${name} the model ${model}`
    const isBelieved = trust.believes({ ...file, path: ['models', name, model], value: true, model, place, allows })
    return isBelieved ? [] : [[name, place]]
  })
  return new Map(untrusted)
}
