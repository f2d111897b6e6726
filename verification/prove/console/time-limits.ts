/**
 * Timeouts of a user path. The proof is that a person gets on, not how fast: the machine may run other tests beside the browser, and
 * speed is measured by `npm run bench -- console`.
 */
export const time_limits = {
  /** For a page to show the next step. */
  step_ms: 90_000,
  /** For deliveries, evaluations and computations of the server. */
  work_ms: 240_000,
} as const
