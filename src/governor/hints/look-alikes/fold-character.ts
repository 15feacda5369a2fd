// Letters of other scripts that look like ours, in lower case: upper-case ones are lowered first.
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  b: 'ьъвβƅɓƀƃßᏼᑲᖯ',
  u: 'υսʋμʊᴜꭎꭒᑌꓴ∪⋃',
  d: 'ԁɗđðɖƌᴅᑯꓒꭰᗞ',
  g: 'ɡցƍǥɢᶃɠԍꮐꓖᏻ',
  e: 'еεєҽɛ℮əᴇɇꭼꓰꬲ⋿',
  t: 'тτŧƭʈᴛꭲꓔ⊤⟙',
  ':': '∶ː˸꞉։׃܃܄᛬ꓽ⁚︓',
}

const LETTER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([letter, characters]) => Array.from(characters, (like) => [like, letter])),
)

// Symbols for A to Z: negative circled, negative squared, regional indicators.
const PICTURED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6] as const
// Invisible copies of ASCII, which people do not see but models read.
const TAGS = { start: 0xe0020, end: 0xe007e, asciiStart: 0x20 } as const

const LOWER_A = 0x61
const ASCII_END = 0x80

/** The plain lower-case character that a reader would take `character` for. */
export function foldCharacter(character: string): string {
  const code = character.codePointAt(0)!
  if (code < ASCII_END) return character.toLowerCase()
  if (code >= TAGS.start && code <= TAGS.end) {
    return String.fromCharCode(code - TAGS.start + TAGS.asciiStart).toLowerCase()
  }
  const alphabet = PICTURED_ALPHABETS.find((start) => code >= start && code < start + 26)
  if (alphabet !== undefined) return String.fromCharCode(code - alphabet + LOWER_A)
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return LETTER_OF.get(plain) ?? plain
}

/** Whether a reader does not see `character`, or sees it as a mark on the one before. A line break is visible. */
export function isUnseen(character: string): boolean {
  const code = character.codePointAt(0)!
  if (code < ASCII_END) return (code < 0x20 && !(code >= 0x09 && code <= 0x0d)) || code === 0x7f
  if (code >= TAGS.start && code <= TAGS.end) return false
  return code !== 0x85 && /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}\p{Cc}]/u.test(character)
}
