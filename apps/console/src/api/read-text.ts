/** A text of stored properties or of a URL; null for any other value, and for an empty one. */
export const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** A text of a URL, whose router turns one of digits into a number; null for any other value, and for an empty one. */
export const readUrlText = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : readText(value)
