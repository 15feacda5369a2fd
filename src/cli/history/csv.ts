/** Rows as comma-separated values, with their headings. */
export function csvFrom(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [headings, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')
}

/** Quoted if necessary. A cell that a spreadsheet would run as a formula gets a quote in front. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
