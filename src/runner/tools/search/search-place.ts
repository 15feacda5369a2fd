import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Fence } from '../files/fence.ts'
import { kindOf, notFound } from '../files/open-regular-file.ts'
import { ToolFailure } from '../tool-failure.ts'

/** Where to search. */
export interface SearchPlace {
  /** A folder, absolute. */
  readonly base: string
  /** The only file in it to search; `null`: all. */
  readonly file: string | null
  /** The folder as shown to the model. */
  readonly shown: string
}

/** Throws `ToolFailure` if it doesn't exist or may not be read. */
export function searchPlace(fence: Fence, path: string): SearchPlace {
  const place = fence.readable(path)
  const stats = lstatSync(place.path, { throwIfNoEntry: false })
  if (stats === undefined) throw notFound(place)
  if (stats.isDirectory()) return { base: place.path, file: null, shown: place.shown }
  if (!stats.isFile()) throw new ToolFailure(`${place.shown} is ${kindOf(stats)}, not a file or a folder.`)
  return { base: dirname(place.path), file: basename(place.path), shown: dirname(place.shown) }
}
