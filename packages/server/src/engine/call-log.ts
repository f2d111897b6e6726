/** Collects the fields of the one log line of a call. */
export interface CallLog {
  set(fields: Readonly<Record<string, unknown>>): void
}

export interface CallLogRecord extends CallLog {
  readonly fields: Readonly<Record<string, unknown>>
}

/** Creates an empty collector; a later field replaces an earlier one of the same name. */
export function createCallLog(): CallLogRecord {
  const fields: Record<string, unknown> = {}
  return {
    fields,
    set: (added) => {
      Object.assign(fields, added)
    },
  }
}
