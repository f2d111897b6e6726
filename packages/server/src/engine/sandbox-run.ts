/** Runs the background work of sandbox organizations, which no worker and no sweep does. */
export interface SandboxRunner {
  /**
   * Runs everything that is due at the time of the sandbox, and the tasks that result, one after the other. Returns false
   * if `shouldContinue` stopped it between two tasks.
   */
  runDue(run: SandboxRun): Promise<boolean>
  /** The earliest time after the present one at which something falls due; null if there is none. */
  nextDue(run: Pick<SandboxRun, 'organization' | 'signal'>): Promise<Date | null>
}

export interface SandboxRun {
  readonly organization: string
  readonly signal: AbortSignal
  readonly shouldContinue: () => boolean
  /** Called before each task. */
  readonly onTask: () => Promise<void>
}
