/** The result of a proof. */
export interface ProofResult {
  /** Summary of the tests, with counts. */
  readonly tried: string
  readonly violations: readonly string[]
}

export interface ProofOptions {
  readonly short: boolean
  /** Same seed, same random choices. */
  readonly seed: number
  /** A folder with test data instead of the fixtures. */
  readonly data?: string
  /** Runs only cases whose name contains this text. */
  readonly only?: string
  /** Number of events, for a proof that counts them. */
  readonly events?: number
  /** Number of items, for a proof that loads them. */
  readonly items?: number
  /** Events per second, for a proof of a load, instead of the usual rate. */
  readonly rate?: number
  /** Number of steps of a random walk, instead of the usual one of the form. */
  readonly steps?: number
  /** Width of the window in CSS pixels, instead of all that are walked. */
  readonly width?: number
  /** Duration of an endurance proof. */
  readonly minutes?: number
}
