/** How full something is, as a bar: `■■■□□`. */
export function meterBar(used: number, max: number, width: number): string {
  const full = max === 0 ? width : Math.min(width, Math.round((used / max) * width))
  return '■'.repeat(full) + '□'.repeat(width - full)
}
