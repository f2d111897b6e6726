/** The platform could not be reached, or the connection broke; the outcome of a call that was sent is unknown. */
export class ConnectionError extends TypeError {
  constructor(url: string, cause: TypeError) {
    super(`${originOf(url)} cannot be reached. Check the address and the network, then try again.`, { cause })
    this.name = 'ConnectionError'
  }
}

/** A call took longer than its time limit; its outcome is unknown. */
export class CallTimeoutError extends Error {
  readonly timeout_ms: number

  constructor(timeout_ms: number) {
    super(`The platform did not answer within ${timeout_ms / 1000} s. Try again, or allow more time by timeout_ms.`)
    this.name = 'CallTimeoutError'
    this.timeout_ms = timeout_ms
  }
}

/** Paths and queries of signed addresses are secrets. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'The platform')
