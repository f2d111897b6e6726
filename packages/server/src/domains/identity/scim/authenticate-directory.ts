import { minute_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../../engine/problem.ts'
import { shiftTime } from '../../../platform/clock.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { hasTokenPrefix } from '../../../platform/crypto/token-prefixes.ts'
import { scimPath } from '../../organizations/federation/scim-tokens.ts'
import { findScimTokenByHash, updateScimTokenUse } from '../../organizations/federation/store.scim-tokens.ts'
import { findOrganization } from '../../organizations/store.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { throttleUnknownCredentials, UnknownCredentials } from '../unknown-credentials.ts'
import type { ScimCall } from './scim-call.ts'
import { ScimProblem } from './scim-problem.ts'
import type { ScimRequest } from './scim-request.ts'

/** Requests of the directories of an organization. */
const directoryRequests = { name: 'scim', max: 1200, window_ms: minute_ms }

/** How exactly the last use of a token is recorded. */
const use_interval_ms = 5 * minute_ms

const max_token_length = 200

const unauthenticated = (): ScimProblem =>
  new ScimProblem(401, 'Send a valid SCIM token of the organization as a Bearer token.')

const readToken = (authorization: string | null): string | null => {
  const token = /^Bearer +([\w]+) *$/i.exec(authorization ?? '')?.[1] ?? null
  return token !== null && token.length <= max_token_length && hasTokenPrefix('scim_token', token) ? token : null
}

/**
 * The call of a directory whose token is valid. Unknown tokens count against the IP address. Throws 401, 403 for an organization that is
 * suspended, or `rate-limited`.
 */
export async function authenticateDirectory(
  dependencies: IdentityDependencies,
  request: ScimRequest,
  operation: string,
): Promise<ScimCall> {
  const { unscoped, clock, queue, rates } = dependencies
  const token = readToken(request.authorization)
  if (token === null) throw unauthenticated()
  const row = await findToken(dependencies, request.address, token)
  const { organization_id: organization } = row
  const clockOfOrganization = clock.forOrganization(organization)
  const now = clockOfOrganization.now()
  if (row.expires_at !== null && row.expires_at <= now) throw unauthenticated()
  const found = await findOrganization(unscoped, organization)
  if (!found || found.status === 'deleted') throw unauthenticated()
  if (found.status === 'suspended') throw new ScimProblem(403, 'The organization is suspended.')
  const unit = await rates.take(directoryRequests, organization)
  if (unit.refused)
    throw new Problem('rate-limited', 'Too many requests of the directory.', { retry_after_s: unit.reset_s })
  await updateScimTokenUse(unscoped, organization, row.id, { now, before: shiftTime(now, -use_interval_ms) })
  const principal = {
    kind: 'service',
    id: row.id,
    user: null,
    organization,
    role: null,
    scopes: [],
    administrator: false,
  } as const
  const { requestId, address, baseUrl, ifMatch } = request
  return {
    organization,
    unscoped,
    clocks: clock,
    actor: { organization, principal, clock: clockOfOrganization, operation, requestId, queue },
    baseUrl: `${baseUrl}${scimPath}`,
    address,
    ifMatch,
  }
}

async function findToken(dependencies: IdentityDependencies, address: string, token: string) {
  try {
    return await throttleUnknownCredentials(dependencies, address, async () => {
      const row = await findScimTokenByHash(dependencies.unscoped, hashSecretSha256(token))
      if (!row) throw new UnknownCredentials('The SCIM token is unknown.')
      return row
    })
  } catch (error) {
    if (error instanceof Problem && error.problem === 'unauthenticated') throw unauthenticated()
    throw error
  }
}
