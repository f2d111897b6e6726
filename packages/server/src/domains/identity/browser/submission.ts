import type { IdentityDependencies } from '../dependencies.ts'
import type { EndpointRequest, EndpointResponse } from '../oauth.ts'
import type { UserAuthRow } from '../store.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** A valid authorization request with the HTTP request that brought it. */
export interface AuthorizationContext {
  readonly dependencies: IdentityDependencies
  readonly request: EndpointRequest
  readonly authorization: AuthorizationRequest
}

/** What a posted form led to: another page, or a user who signed in. */
export type SubmissionResult = { readonly response: EndpointResponse } | { readonly user: UserAuthRow }
