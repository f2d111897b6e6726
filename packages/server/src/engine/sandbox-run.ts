/** Runs the background work of sandbox organizations, which no worker and no sweep does. */
export interface SandboxRunner {
  /**
   * Runs everything that is due at the time of the sandbox, and the tasks that result, one after the other. Null if
   * `shouldContinue` stopped it between two tasks.
   */
  runDue(run: SandboxRunOptions): Promise<SandboxRunResult | null>
  /** The earliest time after the present one at which something falls due; null if there is none. */
  findNextDue(run: Pick<SandboxRunOptions, 'organization' | 'signal'>): Promise<Date | null>
}

/** Nothing is due any more. */
export interface SandboxRunResult {
  /** The result of `findNextDue`. */
  readonly next_due_at: Date | null
}

export interface SandboxRunOptions {
  readonly organization: string
  readonly signal: AbortSignal
  readonly shouldContinue: () => boolean
  /** Called before each task. */
  readonly onTask: () => Promise<void>
}
