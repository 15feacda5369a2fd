/** The companion file of a ledger, which stores how long its journal has been. */
export function highWaterFileOf(ledgerFile: string): string {
  return `${ledgerFile}.high-water`
}
