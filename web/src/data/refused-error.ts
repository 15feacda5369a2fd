/** The server refused a request, and says why in words for a person. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Whether a request was refused because this tab is not signed in, or no longer. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401
}
