/** What the header `Prefer` of an execution asks for (RFC 7240). */
export interface ExecutionPreferences {
  readonly isAsync: boolean
  /** The time that the client waits for results; null if it names none. */
  readonly wait_ms: number | null
}

/** Parses the header; preferences of other names, and those that cannot be read, are ignored. */
export function parsePreferences(header: string): ExecutionPreferences {
  const preferences = new Map(
    header.split(',').map((preference) => {
      const [name = '', value = ''] = preference.split(';', 1)[0]!.split('=')
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')] as const
    }),
  )
  const wait = preferences.get('wait') ?? ''
  return {
    isAsync: preferences.has('respond-async'),
    wait_ms: /^\d{1,6}$/.test(wait) ? Number(wait) * 1000 : null,
  }
}
