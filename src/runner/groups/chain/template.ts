/** A part of a template: literal text, or a name to be replaced. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reference'
      /** As written: `{outputs.plan}`. */
      readonly written: string
      /** `outputs` */
      readonly name: string
      /** `plan`; `null` without one. */
      readonly path: string | null
    }

// `{{name}}` is the literal text `{name}`. Other braces, as in code or JSON, are text.
const REFERENCE = /\{\{([^{}]*)\}\}|\{([A-Za-z_]\w*)(?:\.([^{}\s]+))?\}/g

/** The parts of a template, in order. */
export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (const match of template.matchAll(REFERENCE)) {
    const [written, literal, name, path] = match
    if (match.index > from) parts.push({ kind: 'text', text: template.slice(from, match.index) })
    if (name === undefined) parts.push({ kind: 'text', text: `{${literal}}` })
    else parts.push({ kind: 'reference', written, name, path: path ?? null })
    from = match.index + written.length
  }
  if (from < template.length) parts.push({ kind: 'text', text: template.slice(from) })
  return parts
}

/** Fills in a template once: a value is never expanded as a template itself. */
export function fillTemplate(template: string, valueFor: (name: string, path: string | null) => string): string {
  return templateParts(template)
    .map((part) => (part.kind === 'text' ? part.text : valueFor(part.name, part.path)))
    .join('')
}
