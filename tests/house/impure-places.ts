// Members of globals that are themselves allowed, so that the linter's list of globals cannot name them.
const IMPURE = /\bDate\.now\b|\bMath\.random\b|\bnew Date(\(\s*\)|(?!\s*\())/

// The clock may be the default of an argument, since a caller can still pass another.
const DEFAULT_OF_ARGUMENT = /\b(now|random) = (\(\) => new Date\(\)|Date\.now|Math\.random)[ ,})]/

/** Lines that read the clock or generate random numbers themselves, as `file:line: text`. */
export function impurePlaces(path: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      IMPURE.test(line.replace(DEFAULT_OF_ARGUMENT, '')) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
    )
}
