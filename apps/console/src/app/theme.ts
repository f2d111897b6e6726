import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../api/storage.ts'

export type Theme = 'system' | 'dark' | 'light'

export const themes: readonly Theme[] = ['system', 'dark', 'light']

export interface ThemeChoice {
  readonly theme: Theme
  readonly isDark: boolean
  readonly chooseTheme: (theme: Theme) => void
}

const key = 'swath.theme'
const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

export const readTheme = (): Theme => {
  const stored = readStored(key)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

/** True if the page is dark now. */
export const isDark = (theme: Theme): boolean => (theme === 'system' ? systemDark().matches : theme === 'dark')

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = isDark(theme) ? 'dark' : 'light'
}

/** The chosen theme, whether it is dark now (it follows the system), and a function that chooses another. */
export function useTheme(): ThemeChoice {
  const [theme, setTheme] = useState<Theme>(readTheme)
  useSyncExternalStore(subscribeToSystem, () => systemDark().matches)
  const dark = isDark(theme)
  // Before the effects of the map, which reads the colours.
  useLayoutEffect(() => applyTheme(theme), [theme, dark])
  const chooseTheme = (chosen: Theme): void => {
    writeStored(key, chosen === 'system' ? null : chosen)
    setTheme(chosen)
  }
  return { theme, isDark: dark, chooseTheme }
}

function subscribeToSystem(onChange: () => void): () => void {
  const query = systemDark()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
