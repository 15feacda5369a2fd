/** Kinds of input and output that some providers price apart from text. */
export type MediaKind = 'audio' | 'image' | 'video'

export const MEDIA_KINDS = ['audio', 'image', 'video'] as const satisfies readonly MediaKind[]

/** How many tokens of a prompt may be of which kind; `other`: of any. What is not named is text. */
export type MediaCounts = Readonly<Partial<Record<MediaKind | 'other', number>>>
