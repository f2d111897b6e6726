/** What a proof found out. */
export interface Verdict {
  /** What was tried, in words with counts. */
  readonly tried: string
  readonly violations: readonly string[]
}

export interface ProofOptions {
  readonly short: boolean
  /** Same seed, same random choices. */
  readonly seed: number
  /** A folder with more to try than what the proof brings along. */
  readonly data?: string
  /** Of several things to try, those whose name has this in it. */
  readonly only?: string
  /** How long a proof of endurance lasts. */
  readonly minutes?: number
}
