import {
  apiKeyPermissionFlags,
  humanScopes,
  isPrivilegedScope,
  privilegedScopes,
  resolveApiKeyScopes,
} from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import { toProcessClockTime, type OrganizationClocks, type OrganizationTime } from '../../platform/clock.ts'
import type { ApiKeyAuthRow, UserAuthRow } from './store.ts'
import type { TileTokenRow } from './tile-tokens/store.tile-tokens.ts'
import type { WorkerTokenRow } from './workers/store.worker-tokens.ts'

/** The scopes of a user: all but the privileged ones; administrators have those, too. */
export function listUserScopes(user: Pick<UserAuthRow, 'is_administrator' | 'is_clip_user'>): string[] {
  if (user.is_administrator) return [...humanScopes, ...privilegedScopes]
  return user.is_clip_user ? [...humanScopes, 'clip:*'] : [...humanScopes]
}

/**
 * The principal of a user; null if the user is disabled. Users of a suspended organization can sign in, read and download
 * (spending is refused where it happens); a deleted organization is omitted.
 */
export function toUserPrincipal(user: UserAuthRow): Principal | null {
  if (user.disabled_at !== null) return null
  const organization = user.organization_status === 'deleted' ? null : user.organization_id
  return {
    kind: 'human',
    id: user.id,
    user: user.id,
    organization,
    role: organization === null ? null : user.role,
    scopes: listUserScopes(user),
    administrator: user.is_administrator,
    ...(organization === null || user.plan === null ? {} : { plan: user.plan }),
    ...(user.provider_organization_id ? { provider_organization: user.provider_organization_id } : {}),
  }
}

/** True if the key is neither revoked nor expired, its issuer may act and its organization is not deleted. */
const isActiveKey = (key: ApiKeyAuthRow, now: OrganizationTime): boolean =>
  key.stop_reason === null &&
  key.revoked_at === null &&
  (key.expires_at === null || key.expires_at > now) &&
  key.organization_status !== 'deleted'

/** The principal of an API key; null for an inactive key. Tokens issued for it have the same principal. */
export function toApiKeyPrincipal(key: ApiKeyAuthRow, clocks: OrganizationClocks): Principal | null {
  if (!isActiveKey(key, clocks.forOrganization(key.organization_id).now())) return null
  return {
    kind: 'api_key',
    id: key.id,
    user: key.issuer,
    organization: key.organization_id,
    role: null,
    scopes: resolveApiKeyScopes(key.permissions),
    flags: apiKeyPermissionFlags.filter((flag) => key.permissions.includes(flag)),
    administrator: false,
    plan: key.plan,
    ...(key.of_client ? { oauth_client: true } : {}),
    ...(key.rate_limit === null ? {} : { rate_limit: key.rate_limit }),
  }
}

/**
 * The principal of a tile token, with the permissions of its user; null for an inactive token. It is restricted to tiles of
 * its item or collection (`confined`).
 */
export function toTileTokenPrincipal(row: TileTokenRow, clocks: OrganizationClocks): Principal | null {
  const now = clocks.forOrganization(row.organization_id).now()
  const isExpired = row.revoked_at !== null || row.expires_at <= now || row.organization_status === 'deleted'
  const isKeyInactive = row.stop_reason !== null || (row.key_expires_at !== null && row.key_expires_at <= now)
  if (isExpired || isKeyInactive) return null
  return {
    kind: 'api_key',
    id: row.id,
    user: row.issuer,
    organization: row.organization_id,
    role: null,
    scopes: ['items:read'],
    administrator: false,
    plan: row.plan,
    restriction: row.item_id === null ? { collection: row.collection_id! } : { item: row.item_id },
  }
}

/**
 * The outside worker of a job, which may register the outputs of this job and nothing else; null once its time is over, who
 * started the job may not act any more or the organization is deleted. Its id is that of the job.
 */
export function toWorkerPrincipal(row: WorkerTokenRow, clocks: OrganizationClocks): Principal | null {
  // It lasts as long as the lease of the job.
  const isExpired = row.expires_at <= toProcessClockTime(clocks.process)
  if (isExpired || row.stop_reason !== null || row.organization_status === 'deleted') return null
  return {
    kind: 'worker',
    id: row.job_id,
    user: null,
    organization: row.organization_id,
    role: null,
    scopes: ['processing:process'],
    operations: ['processing.job.register'],
    administrator: false,
    plan: row.plan,
  }
}

/** The principal without credentials: it has only the scope of the public operation. */
export const createAnonymousPrincipal = (scope: string | null): Principal => ({
  kind: 'human',
  id: 'visitor',
  user: null,
  organization: null,
  role: null,
  scopes: scope === null || isPrivilegedScope(scope) ? [] : [scope],
  administrator: false,
})
