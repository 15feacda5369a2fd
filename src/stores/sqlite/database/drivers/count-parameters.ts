// Quoted text and names, and comments: a question mark in them isn't a parameter.
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g

/** The number of `?` in a statement. Numbered and named parameters are refused: they would be counted wrongly. */
export function countParameters(sql: string): number {
  const bare = sql.replaceAll(QUOTED, ' ')
  if (/\?\d|[:@$][A-Za-z_]/.test(bare)) throw new TypeError(`Only plain ? parameters are counted: ${sql}`)
  return bare.split('?').length - 1
}
