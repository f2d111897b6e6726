/** An attempt to pay: the idempotency key and the operation that it pays for. */
export interface Attempt {
  readonly key: string
  /** A hash of the input. */
  readonly fingerprint: string
}

/** The attempt that is stored, if it is for the same input; else a new one. */
export function resumeAttempt(stored: string | null, fingerprint: string, newKey: () => string): Attempt {
  const attempt = parseAttempt(stored)
  return attempt?.fingerprint === fingerprint ? attempt : { key: newKey(), fingerprint }
}

function parseAttempt(text: string | null): Attempt | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('key' in value) || !('fingerprint' in value)) return null
    const { key, fingerprint } = value
    return typeof key === 'string' && typeof fingerprint === 'string' ? { key, fingerprint } : null
  } catch {
    return null
  }
}
