import { type Finding, fine, problem } from '../../operate/health/finding.ts'

/** Whether this Node can run Stint: 20.19 and everything newer. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return fine('Node', version)
  return problem('Node', version, 'Use Node 20.19 or newer.')
}
