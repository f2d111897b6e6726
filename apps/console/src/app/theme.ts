export type Theme = 'system' | 'dark' | 'light'

const key = 'swath.theme'
const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

export const readTheme = (): Theme => {
  const stored = localStorage.getItem(key)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

/** True if the page is dark now. */
export const isDark = (theme: Theme): boolean => (theme === 'system' ? systemDark().matches : theme === 'dark')

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = isDark(theme) ? 'dark' : 'light'
}

export function saveTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  applyTheme(theme)
}

/** Follows the system while the theme is that of the system. Returns a function that stops it. */
export function followSystem(onChange: () => void): () => void {
  const query = systemDark()
  const update = (): void => {
    applyTheme(readTheme())
    onChange()
  }
  query.addEventListener('change', update)
  return () => query.removeEventListener('change', update)
}
