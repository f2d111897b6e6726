/** Collects the fields of the one log line of a call. */
export interface CallLog {
  set(facts: Readonly<Record<string, unknown>>): void
}

export interface Observation extends CallLog {
  readonly facts: Readonly<Record<string, unknown>>
}

/** Creates an empty collector; a later field replaces an earlier one of the same name. */
export function observation(): Observation {
  const facts: Record<string, unknown> = {}
  return {
    facts,
    set: (more) => {
      Object.assign(facts, more)
    },
  }
}
