/** Kinds of input and output that some providers price differently from text. */
export type MediaKind = 'audio' | 'image' | 'video'

export const MEDIA_KINDS = ['audio', 'image', 'video'] as const satisfies readonly MediaKind[]

/** How many tokens of a prompt may be of each kind; `other`: of any kind. The rest is text. */
export type MediaCounts = Readonly<Partial<Record<MediaKind | 'other', number>>>
