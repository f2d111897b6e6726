/** Preferences of this browser. Where storage is blocked they last for the visit only, and nothing fails. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null removes the value. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Blocked or full: the preference is not stored.
  }
}

/** Calls a listener when a preference was changed: here, which an event of this name says, or in another window of the browser. */
export const watchStored =
  (changed: string) =>
  (onChange: () => void): (() => void) => {
    const names = [changed, 'storage']
    for (const name of names) addEventListener(name, onChange)
    return () => {
      for (const name of names) removeEventListener(name, onChange)
    }
  }

/** Reads and removes a value that this tab has stored: it survives a redirect and is read once. */
export function takeFromTab(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}

/** Keeps a value in this tab. False if the browser blocks the storage of this site. */
export function keepInTab(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
