import { withoutNamedSecrets } from './named-secrets.ts'
import { withoutRandomWords } from './random-words.ts'
import { REMOVED } from './removed-text.ts'

const AT_START = '(?<![A-Za-z0-9])'
// The prefixes of well-known keys and tokens, e.g. sk-ant-…, ghp_…, AKIA….
const PREFIXED = new RegExp(
  [
    '(?:sk|pk|rk|whsec)[-_](?=[\\w-]*\\d)[\\w-]{6,}',
    '(?:sk|pk|rk)[-_][\\w-]{12,}',
    '(?:gh[opsur]|github_pat|gl[a-z]{2,5}|xox[a-z]|xapp|hf|gsk|npm|pypi|do[opr]_v1|shp(?:at|ca|pa|ss)|stint|r8|pplx|xai|nvapi|fw|figd|lin_api|ntn|phc|phx|sbp|sntry[su]|glsa|rubygems|sq0[a-z]{3}|dapi|key|ops|tfp|secret|vercel|rnd|pat)[-_](?=[\\w-]*\\d)[\\w-]{12,}',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}',
    'AIza[\\w-]{20,}',
    'ya29\\.[\\w-]{10,}',
    'hv[sbr]\\.[\\w-]{10,}',
    'SG\\.[\\w-]{10,}\\.[\\w-]{10,}',
    'PMAK-[\\w-]{10,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{10,}',
    'eyJ[\\w-]{8,}\\.[\\w.-]+',
    '\\d{8,10}:AA[\\w-]{30,}',
  ]
    .map((form) => `${AT_START}${form}`)
    .join('|'),
  'g',
)
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----[\s\S]*?(?:-----END [A-Z ]{0,60}-----|$)/g
const BEARER = /\b(bearer|basic) +(?=[\w.~+/=-]{8})[\w.~+/=-]+/gi
// ://name:password@host. A password may contain an @, and a slash too if there is no port.
const IN_ADDRESS = /(:\/\/[^\s/:@?#[]{0,200}:)(?:[^\s/?#"'`]{1,500}|(?!\d{1,5}(?:[/?#\s"'`]|$))[^\s"'`]{1,500})@/g
const ESCAPED_ADDRESS = /(%3A%2F%2F[^\s%]{0,200}%3A)[^\s"'`&]{1,500}?%40/gi
// A token instead of a name: https://0123456789abcdef@host. Also webhooks, whose path is their key.
const AS_USER = /(:\/\/)(?=[^\s/@]*\d)[^\s/:@"'`]{16,500}@/g
const AS_NAME = /(:\/\/)[^\s/:@"'`]{1,500}(?=:x-oauth-basic@)/g
// ann:password@tcp(host)/name
const IN_SOURCE = /(\b[\w.-]{1,100}:)[^\s"'`]{1,500}(?=@(?:tcp|unix)?\()/g
const WEBHOOK = /(hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,}/gi
// Short flags of well-known programs: curl -u name:password, mysql -ppassword.
const USER_FLAG =
  /((?:^|[\s"'`])(?:-u|--user|--proxy-user|-U)[ =]?\\*["']?[^\s:"'`=]{1,100}:)(?!\d+(?:\s|$))[^\s"'`\\]{1,500}/g
const PROGRAM_FLAG =
  /(\b(?:(?:sshpass|docker login)\b[^\n|;&]{0,200}?\s-p ?|mysql[\w-]{0,20}\b[^\n|;&]{0,200}?\s-p|redis-cli\b[^\n|;&]{0,200}?\s-a ))\\*["']?[^\s"'`\\]{1,500}/g

/** The text without keys and anything that looks like one. The name of a key stays, and limits are not keys. */
export function withoutKeys(text: string): string {
  const bare = text
    .replace(PRIVATE_KEY, REMOVED)
    .replace(AS_NAME, `$1${REMOVED}`)
    .replace(IN_SOURCE, `$1${REMOVED}`)
    .replace(IN_ADDRESS, `$1${REMOVED}@`)
    .replace(ESCAPED_ADDRESS, `$1${REMOVED}%40`)
    .replace(AS_USER, `$1${REMOVED}@`)
    .replace(WEBHOOK, `$1${REMOVED}`)
    .replace(PREFIXED, REMOVED)
    .replace(BEARER, `$1 ${REMOVED}`)
    .replace(USER_FLAG, `$1${REMOVED}`)
    .replace(PROGRAM_FLAG, `$1${REMOVED}`)
  return withoutRandomWords(withoutNamedSecrets(bare))
}
