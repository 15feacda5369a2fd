/** A process, in a form that other processes on the same ledger can check; `''` if the platform doesn't tell. */
export interface Holder {
  readonly host: string
  /** The pid namespace: inside a container a pid means something else. */
  readonly pidNamespace: string
  /** Changes with every boot. */
  readonly boot: string
  readonly pid: number
  /** When the process was started, since pids are reused. */
  readonly start: string
  /** Distinguishes the governors of one process. */
  readonly nonce: string
}

const FIELDS = 6

/** A holder as stored in the ledger: `host/namespace/boot/pid/start/nonce`. */
export function formatHolder(holder: Holder): string {
  const { host, pidNamespace, boot, pid, start, nonce } = holder
  return [host, pidNamespace, boot, String(pid), start, nonce].map(encodeURIComponent).join('/')
}

/** `null` if the text is not from `formatHolder`, e.g. a name that a test or a user chose. */
export function parseHolder(text: string): Holder | null {
  const fields = text.split('/').map(decode)
  const [host, pidNamespace, boot, pid, start, nonce] = fields
  if (fields.length !== FIELDS || fields.includes(null) || !/^[1-9]\d{0,9}$/.test(pid ?? '')) return null
  return { host, pidNamespace, boot, pid: Number(pid), start, nonce } as Holder
}

function decode(field: string): string | null {
  try {
    return decodeURIComponent(field)
  } catch {
    return null
  }
}
