import type { ProviderTest } from '@swath/contract/schemas/people/federation.ts'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import {
  OpenIdFailure,
  type OpenIdClient,
  type OpenIdProviderMetadata,
} from '../../../platform/integrations/openid/openid-types.ts'

/** Tests that the members of an organization may start. */
const providerTests = { name: 'provider-tests', max: 20, window_ms: minute_ms }

/** Reads what a provider publishes, and says what is wrong with it. */
export async function testProvider(
  call: Pick<Call, 'organization' | 'integrations' | 'rateLimiter'>,
  client: OpenIdClient,
): Promise<ProviderTest> {
  const unit = await call.rateLimiter.take(providerTests, call.organization)
  if (unit.refused)
    throw new Problem('rate-limited', 'The provider was tested often enough this minute.', {
      retry_after_s: unit.reset_s,
    })
  try {
    const description = await call.integrations.openid.describe(client)
    const problems = findProviderProblems(description)
    return { ok: problems.length === 0, ...description, problems }
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    return { ok: false, ...toUnknownDescription(client), problems: [error.message] }
  }
}

const findProviderProblems = ({
  authorization_endpoint,
  token_endpoint,
  key_count,
}: OpenIdProviderMetadata): string[] => [
  ...(authorization_endpoint === null ? ['It publishes no authorization endpoint.'] : []),
  ...(token_endpoint === null ? ['It publishes no token endpoint.'] : []),
  ...(key_count === 0 ? ['It publishes no key.'] : []),
]

const toUnknownDescription = ({ issuer }: OpenIdClient): OpenIdProviderMetadata => ({
  issuer,
  authorization_endpoint: null,
  token_endpoint: null,
  has_userinfo: false,
  has_backchannel_logout: false,
  key_count: 0,
})
