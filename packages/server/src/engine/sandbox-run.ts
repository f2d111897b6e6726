/** Runs the background work of sandbox organizations, which no worker and no sweep does. */
export interface SandboxWorkRunner {
  /**
   * Runs everything that is due at the time of the sandbox, and the tasks that result, one after the other. Null if
   * `shouldContinue` stopped it between two tasks.
   */
  runDue(run: SandboxDueWorkOptions): Promise<SandboxDueWorkResult | null>
  /** The earliest time after the present one at which something falls due; null if there is none. */
  findNextDue(run: Pick<SandboxDueWorkOptions, 'organization' | 'signal'>): Promise<Date | null>
}

/** Nothing is due any more. */
export interface SandboxDueWorkResult {
  /** The result of `findNextDue`. */
  readonly next_due_at: Date | null
}

export interface SandboxDueWorkOptions {
  readonly organization: string
  readonly signal: AbortSignal
  readonly shouldContinue: () => boolean
  /** Called before each task. */
  readonly onTask: () => Promise<void>
}
