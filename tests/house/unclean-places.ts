// The patterns are written so that they do not match their own text.
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a path of a machine', /(?<![\w.~\-:/])\/(?:home|Users|root|work|workspace|builds)\/\w/],
  ['a path of a machine', /\b[A-Z]:\\{1,2}(?:Users|work)\b/],
  ['a registry', /\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio)[\w-]*[.:]/],
  ['a registry', /^(?:@[\w-]+:)?registry\s*=/],
  [
    'a test that is left out',
    /\b(?:it|test|describe|suite|bench)(?:\.\w+(?:\([^)]*\))?)*\.(?:only|skip|todo|skipIf|runIf)\(/,
  ],
  // By default it gives up after a second; `expect.poll` takes its time from the config.
  ['a wait that a busy machine does not keep', /\bvi\.wait(?:For|Until)\(/],
  ['a note of unfinished work', /\b(?:[T]ODO|[F]IXME|[X]XX)\b/],
]

/** What no file of the repository may contain, each as `file:line has …`. */
export function uncleanPlaces(path: string, text: string, checkout: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = new Set(PATTERNS.filter(([, pattern]) => pattern.test(line)).map(([what]) => what))
    if (holdsPath(line, checkout)) found.add('a path of a machine')
    return [...found].map((what) => `${path}:${index + 1} has ${what}`)
  })
}

/** A checkout directly under the root, like `/app`, is too short a name to look for. */
function holdsPath(line: string, checkout: string): boolean {
  return checkout.split('/').length > 2 && line.includes(`${checkout}/`)
}
