/** The companion of a ledger, which remembers how long its journal has been. */
export function highWaterFileOf(ledgerFile: string): string {
  return `${ledgerFile}.high-water`
}
