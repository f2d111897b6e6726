import type { Actor } from '../../../engine/actor.ts'
import { newId } from '../../../platform/ids.ts'
import type { ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'
import type { OrganizationProvider } from './find-provider.ts'
import type { ProviderArrival } from './provider-account.ts'
import type { ProviderLoginRow } from './store.provider-logins.ts'

/** A response of a provider in the browser that began the sign-in. */
export interface ProviderResponse {
  readonly dependencies: IdentityDependencies
  readonly request: IdentityEndpointRequest
  readonly state: string
  readonly login: ProviderLoginRow
  readonly found: OrganizationProvider
}

const operation = 'organizations.provider.sign_in'

/** Who arrives, as an operation would know the caller: the provider acts. */
export function toArrival(
  { dependencies: { clock, queue }, request, found }: ProviderResponse,
  claims: ProviderClaims,
): ProviderArrival {
  const { organization, provider } = found
  const principal: Actor['principal'] = {
    kind: 'service',
    id: provider.id,
    user: null,
    organization: organization.id,
    role: null,
    scopes: [],
    administrator: false,
  }
  const actor = {
    organization: organization.id,
    principal,
    clock: clock.forOrganization(organization.id),
    operation,
    requestId: newId(),
    queue,
  }
  return { ...found, claims, actor, clocks: clock, address: request.address }
}
