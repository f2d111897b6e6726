import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { UserAuthRow } from '../store.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { SignInProof } from './browser-sessions.ts'
import type { SignInFormError } from './pages.ts'

/** A valid authorization request with the HTTP request that brought it. */
export interface AuthorizationRequestContext {
  readonly dependencies: IdentityDependencies
  readonly request: IdentityEndpointRequest
  readonly authorization: AuthorizationRequest
  /**
   * The browser session of the first page, although another tab may have replaced the cookie since. The forms are bound
   * to it. Null without one.
   */
  readonly session_id: string | null
}

export interface SignInPage {
  /** The email that the field shows. */
  readonly email: string
  readonly error?: SignInFormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The result of a posted form: another page, the first page again, or a user who signed in. */
export type FormSubmissionResult =
  | { readonly response: IdentityEndpointResponse }
  | { readonly signInAgain: SignInPage }
  | (ProvenUser & {
      /** The first recovery codes, which are shown before the browser goes on. */
      readonly recovery_codes?: readonly string[] | null
    })

/** A user who has proven something. */
export interface ProvenUser {
  readonly user: UserAuthRow
  /** By default the password, just now. */
  readonly proof?: SignInProof
}
