import type { IdentityDependencies } from '../dependencies.ts'
import type { EndpointRequest, EndpointResponse } from '../oauth.ts'
import type { UserAuthRow } from '../store.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { FormError } from './pages.ts'

/** A valid authorization request with the HTTP request that brought it. */
export interface AuthorizationContext {
  readonly dependencies: IdentityDependencies
  readonly request: EndpointRequest
  readonly authorization: AuthorizationRequest
  /**
   * The session that the browser had when it was sent the first page, which another tab may have given a new cookie since. Null
   * without one. The forms are signed for it.
   */
  readonly session_id: string | null
}

export interface SignInPage {
  /** The email that the field shows. */
  readonly email: string
  readonly error?: FormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What a posted form led to: another page, the first page again, or a user who signed in. */
export type SubmissionResult =
  | { readonly response: EndpointResponse }
  | { readonly signInAgain: SignInPage }
  | { readonly user: UserAuthRow }
