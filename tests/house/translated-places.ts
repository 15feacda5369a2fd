// Words may be on two lines of a comment.
const GAP = String.raw`[\s*/]+`

/** Forms that read as translated, and what to write instead. */
const FORMS: readonly (readonly [form: RegExp, instead: string])[] = [
  // "There is no X", "is no longer" and "is no more than" are good English.
  [
    new RegExp(String.raw`(?<!\bthere${GAP})\b(?:is|are|was|were)${GAP}no${GAP}(?!longer\b|more\b|less\b)[a-z]`, 'gi'),
    '"is not a …"',
  ],
  [new RegExp(String.raw`\bstands?${GAP}twice\b`, 'gi'), '"appears twice"'],
  [/\banew\b/gi, '"again", or say what starts over'],
  [/\b(?:whoever|nobody|somebody)\b/gi, 'who it is: "the caller", "no process", "a user"'],
  [new RegExp(String.raw`\b(?:goes|gone)${GAP}on${GAP}with\b`, 'gi'), '"resumes" or "continues"'],
  [new RegExp(String.raw`\blets?${GAP}(?:it|them|a${GAP}\w+)${GAP}go${GAP}on\b`, 'gi'), '"resume it"'],
  [new RegExp(String.raw`\b(?:called?s?${GAP}off|stopped|ends?)${GAP}softly\b`, 'gi'), '"gracefully"'],
  [new RegExp(String.raw`\bhow${GAP}(?:it|they)${GAP}stands?\b`, 'gi'), '"its state"'],
  [new RegExp(String.raw`\bwhat${GAP}(?:it|they)${GAP}comes?${GAP}to\b`, 'gi'), '"the total"'],
  [new RegExp(String.raw`\bthe${GAP}stint${GAP}around\b`, 'gi'), '"the enclosing stint"'],
  [new RegExp(String.raw`\bfor${GAP}ever\b`, 'gi'), '"forever"'],
  [
    new RegExp(String.raw`\bbeside${GAP}(?:the|a|an|it|its|them|each|that|this|these|those|our|your|others?)\b`, 'gi'),
    '"next to", "alongside" or "in addition to"',
  ],
  [new RegExp(String.raw`\bwhat${GAP}(?:has${GAP})?became${GAP}of\b`, 'gi'), '"the result of" or "the outcome of"'],
  [
    new RegExp(String.raw`\b(?:can|may|would)${GAP}come${GAP}to${GAP}(?:at${GAP}most|before)\b`, 'gi'),
    '"the worst case"',
  ],
  [new RegExp(String.raw`\b(?:is|are|was|were|be)${GAP}let${GAP}in\b`, 'gi'), '"is admitted"'],
  [new RegExp(String.raw`\bsomeone${GAP}is${GAP}\[?asked\b`, 'gi'), '"a person is asked"'],
  [new RegExp(String.raw`\bevery${GAP}so${GAP}many\b|\bafter${GAP}so${GAP}many\b`, 'gi'), '"this many"'],
  [new RegExp(String.raw`\b(?:goes?|went)${GAP}on${GAP}from\b`, 'gi'), '"continues from"'],
  [new RegExp(String.raw`\b(?:holds?|held)${GAP}up${GAP}(?:no|nothing)\b`, 'gi'), '"does not delay"'],
  [/\bunasked\b/gi, '"without asking"'],
  [new RegExp(String.raw`\bsmall${GAP}letters\b`, 'gi'), '"lower case"'],
  // Private words for common things: a place in a queue, a list of records, what an event reports.
  [/\b(?:Desk|Seat|Shelf|Shelves)[A-Z]?\w*|\w+Seat\b/g, 'the common noun'],
]

/** The places of a text that read as translated, each as `file:line …`. */
export function translatedPlaces(path: string, text: string): readonly string[] {
  return FORMS.flatMap(([form, instead]) =>
    [...text.matchAll(form)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${path}:${line} says "${found.replace(/[\s*/]+/g, ' ')}": write ${instead}`
    }),
  )
}
