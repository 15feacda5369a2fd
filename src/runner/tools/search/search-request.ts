import type { FilesAsked, FilesFound } from './find-files.ts'
import type { GrepAsked, GrepFound } from './grep-files.ts'

/** What is looked for. Of a grep, `file` is the only file to look into; else those of `files` are. */
export type SearchRequest =
  | { readonly kind: 'glob'; readonly files: FilesAsked }
  | {
      readonly kind: 'grep'
      readonly files: FilesAsked | null
      readonly file: string | null
      readonly grep: Omit<GrepAsked, 'files'>
    }

/** What was found, or why nothing could be looked for. */
export type SearchAnswer =
  | { readonly kind: 'glob'; readonly found: FilesFound }
  | { readonly kind: 'grep'; readonly found: GrepFound; readonly isCut: boolean }
  | { readonly kind: 'failed'; readonly message: string }
