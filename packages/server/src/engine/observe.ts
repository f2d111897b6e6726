/** Collects what the one log line of a call says. */
export interface CallLog {
  set(facts: Readonly<Record<string, unknown>>): void
}

export interface Observation extends CallLog {
  readonly facts: Readonly<Record<string, unknown>>
}

/** A fresh collector; later facts of the same name replace earlier ones, numbers under `add` sum up. */
export function observation(): Observation {
  const facts: Record<string, unknown> = {}
  return {
    facts,
    set: (more) => {
      Object.assign(facts, more)
    },
  }
}
