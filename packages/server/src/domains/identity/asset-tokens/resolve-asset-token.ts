import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { Principal } from '../../../engine/call.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import type { AuthenticationDependencies } from '../dependencies.ts'
import type { VerifiedToken } from '../token-cache.ts'
import type { AssetTokenClaims } from './asset-tokens.ts'
import { findAssetTokenCreator, type AssetTokenCreator } from './store.asset-tokens.ts'

/**
 * The principal of a token in the URL of a file: it has the permissions of the user, and may download the files of the item. Null if
 * the user has left or is disabled, the API key or the organization has ended.
 *
 * @param recheck_at when the database is asked again at the latest.
 */
export async function toVerifiedAssetToken(
  { unscoped, clock }: Pick<AuthenticationDependencies, 'unscoped' | 'clock'>,
  claims: AssetTokenClaims,
  recheck_at: Date,
): Promise<VerifiedToken | null> {
  const { organization, creator, expires_at } = claims
  await refreshSandboxTime({ unscoped, clock }, organization)
  const row = await findAssetTokenCreator(unscoped, organization, creator)
  const principal = row && toAssetTokenPrincipal(claims, row, clock)
  return (
    principal && {
      principal,
      expires_at: expires_at < recheck_at ? expires_at : recheck_at,
      ends_at: row.key_expires_at,
      subjects: [
        `user:${row.user_id}`,
        `organization:${organization}`,
        ...(row.key_id === null ? [] : [`key:${creator}`]),
      ],
    }
  )
}

function toAssetTokenPrincipal(
  { organization, creator, item }: AssetTokenClaims,
  row: AssetTokenCreator,
  clocks: OrganizationClocks,
): Principal | null {
  const { key_expires_at } = row
  const isKeyExpired = key_expires_at !== null && key_expires_at <= clocks.forOrganization(organization).now()
  if (row.organization_status === 'deleted' || row.stop_reason !== null || isKeyExpired) return null
  return {
    kind: row.key_id === null ? 'human' : 'api_key',
    id: creator,
    user: row.user_id,
    organization,
    role: null,
    scopes: ['items:read'],
    operations: ['items.asset.download'],
    administrator: false,
    plan: row.plan,
    restriction: { item },
    ...(row.key_rate_limit === null ? {} : { rate_limit: row.key_rate_limit }),
  }
}
