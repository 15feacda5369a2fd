import type { FilesAsked, FilesFound } from './find-files.ts'
import type { GrepAsked, GrepFound } from './grep-files.ts'

/** A search. For grep, `file` is the only file to search; otherwise those of `files`. */
export type SearchRequest =
  | { readonly kind: 'glob'; readonly files: FilesAsked }
  | {
      readonly kind: 'grep'
      readonly files: FilesAsked | null
      readonly file: string | null
      readonly grep: Omit<GrepAsked, 'files'>
    }

/** The result, or why the search failed. */
export type SearchAnswer =
  | { readonly kind: 'glob'; readonly found: FilesFound }
  | { readonly kind: 'grep'; readonly found: GrepFound; readonly isCut: boolean }
  | { readonly kind: 'failed'; readonly message: string }
