/**
 * Follows the appearance of the system, on pages for visitors, who have no settings here.
 *
 * @param darkClass that a library expects on the root while it is dark.
 */
export function followTheme(darkClass?: string): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const root = document.documentElement
    root.dataset['theme'] = dark.matches ? 'dark' : 'light'
    if (darkClass) root.classList.toggle(darkClass, dark.matches)
  }
  dark.addEventListener('change', apply)
  apply()
}

/** Calls back when the appearance changes. Returns a function that stops it. */
export function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** `dark` or `light`, as it is shown now. */
export const readShownTheme = (): string => document.documentElement.dataset['theme'] ?? 'light'
