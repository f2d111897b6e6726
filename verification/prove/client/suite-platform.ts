/** What the suite is told. */
export interface SuitePlatform {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly scope: string
  readonly runtime: string
}

export interface SuiteResult {
  readonly tried: number
  readonly violations: readonly string[]
}
