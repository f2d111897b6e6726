import { generateSync } from 'otplib'

/** An authenticator app of somebody, as another implementation than ours. */
export interface TestAuthenticatorApp {
  readonly secret: string
  readonly recovery_codes: string[]
  /** The code of now, or of so many seconds later. */
  code(later_s?: number): string
}

export const createAuthenticatorApp = (
  { clock }: { readonly clock: { now(): Date } },
  secret: string,
  recovery_codes: string[] = [],
): TestAuthenticatorApp => ({
  secret,
  recovery_codes,
  code: (later_s = 0) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + later_s }),
})
