import { createStore } from '../data/create-store.ts'

export type Theme = 'light' | 'dark'

const KEY = 'stint-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

/** The theme that is shown: the chosen one, else that of the system. */
export const theme = createStore<Theme>(chosenTheme() ?? systemTheme())

function chosenTheme(): Theme | null {
  const chosen = localStorage.getItem(KEY)
  return chosen === 'light' || chosen === 'dark' ? chosen : null
}

function systemTheme(): Theme {
  return system.matches ? 'dark' : 'light'
}

/** Shows the theme, now and whenever it changes. */
export function followTheme(): void {
  const show = (): void => {
    document.documentElement.dataset.theme = theme.read()
  }
  show()
  theme.subscribe(show)
  system.addEventListener('change', () => theme.write(chosenTheme() ?? systemTheme()))
}

/** Changes to the other theme. What the system has anyway is not remembered, so that it is followed again. */
export function switchTheme(): void {
  const next = theme.read() === 'dark' ? 'light' : 'dark'
  if (next === systemTheme()) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, next)
  theme.write(next)
}
