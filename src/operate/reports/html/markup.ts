import { printable } from '../../../core/checks/printable.ts'

/** Text that cannot be read as markup, with invisible characters made visible. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A share of a whole as people read it: `23%`, `<1%`. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return ''
  const percent = (100 * part) / whole
  return percent < 1 ? '<1%' : `${Math.round(percent)}%`
}
