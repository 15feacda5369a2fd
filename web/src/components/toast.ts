import { createStore } from '../data/create-store.ts'

/** A short message about something that was just done. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
  /** Takes it back, where that is possible. */
  readonly undo: (() => Promise<void>) | null
}

const SHOWN_MS = 10_000
const MOST = 3
let lastId = 0

export const toasts = createStore<readonly Toast[]>([])

/** Shows a message for ten seconds. */
export function showToast(text: string, { undo = null, isProblem = false }: Partial<Toast> = {}): void {
  const toast: Toast = { id: ++lastId, text, undo, isProblem }
  toasts.write([...toasts.read().slice(1 - MOST), toast])
  setTimeout(() => hideToast(toast.id), SHOWN_MS)
}

export function hideToast(id: number): void {
  toasts.write(toasts.read().filter((toast) => toast.id !== id))
}

/** Does something, and says so if it fails. */
export async function orToast(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), { isProblem: true })
  }
}
