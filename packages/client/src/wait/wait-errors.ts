/** What is waited for. */
export type WaitKind = 'order' | 'job' | 'upload'

/** An order, job or upload ended without success. */
export class WaitFailedError<State = unknown> extends Error {
  readonly kind: WaitKind
  readonly state: State
  /** Why, as the platform says it; null if it does not. */
  readonly reason: string | null

  constructor(kind: WaitKind, { state, status, reason }: { state: State; status: string; reason: string | null }) {
    super(`The ${kind} ended as ${status}${reason === null ? '' : `: ${reason}`}`)
    this.name = 'WaitFailedError'
    this.kind = kind
    this.state = state
    this.reason = reason
  }
}

/** An order, job or upload did not end in the time that the caller gave it. It goes on; wait again to see its end. */
export class WaitTimeoutError<State = unknown> extends Error {
  readonly kind: WaitKind
  /** The state that was read last; null if none was. */
  readonly state: State | null

  constructor(kind: WaitKind, timeout_ms: number, last: { readonly state: State; readonly status: string } | null) {
    const status = last === null ? '' : `; it is ${last.status}`
    super(`The ${kind} did not end within ${timeout_ms / 1000} s${status}. It goes on: wait again to see its end.`)
    this.name = 'WaitTimeoutError'
    this.kind = kind
    this.state = last?.state ?? null
  }
}
