import { humanScopes, isPrivileged, keyFlags, scopesOfKey } from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks, OrganizationTime } from '../../platform/clock.ts'
import type { KeyRow, PersonRow } from './store.ts'
import type { TileTokenRow } from './store.tile-tokens.ts'

/** The scopes of a user: all but the privileged ones; administrators have those, too. */
export function scopesOfPerson(person: Pick<PersonRow, 'is_administrator' | 'is_clip_user'>): string[] {
  const more = person.is_administrator ? ['admin:*', 'clip:*'] : person.is_clip_user ? ['clip:*'] : []
  return [...humanScopes, ...more]
}

/**
 * The principal of a user; null if the user is disabled. Users of a suspended organization can sign in, read and download
 * (spending is refused where it happens); a deleted organization is omitted.
 */
export function principalOfPerson(person: PersonRow): Principal | null {
  if (person.disabled_at !== null) return null
  const organization = person.organization_status === 'deleted' ? null : person.organization_id
  return {
    kind: 'human',
    id: person.id,
    user: person.id,
    organization,
    role: organization === null ? null : person.role,
    scopes: scopesOfPerson(person),
    administrator: person.is_administrator,
    ...(organization === null || person.plan === null ? {} : { plan: person.plan }),
  }
}

/** True if the key is neither revoked nor expired and its organization is not deleted. */
const isLiveKey = (key: KeyRow, now: OrganizationTime): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > now) && key.organization_status !== 'deleted'

/** The principal of an API key; null for an inactive key. Tokens issued for it have the same principal. */
export function principalOfKey(key: KeyRow, clocks: OrganizationClocks): Principal | null {
  if (!isLiveKey(key, clocks.of(key.organization_id).now())) return null
  return {
    kind: 'api_key',
    id: key.id,
    user: key.issuer,
    organization: key.organization_id,
    role: null,
    scopes: scopesOfKey(key.permissions),
    flags: keyFlags.filter((flag) => key.permissions.includes(flag)),
    administrator: false,
    plan: key.plan,
    ...(key.rate_limit === null ? {} : { rate_limit: key.rate_limit }),
  }
}

/**
 * The principal of a tile token, with the permissions of its user; null for an inactive token. It is restricted to tiles of
 * its item or collection (`confined`).
 */
export function principalOfTileTokenRow(row: TileTokenRow, clocks: OrganizationClocks): Principal | null {
  const now = clocks.of(row.organization_id).now()
  const isOver = row.revoked_at !== null || row.expires_at <= now || row.organization_status === 'deleted'
  const isCut = row.key_revoked_at !== null || (row.key_expires_at !== null && row.key_expires_at <= now)
  if (isOver || isCut) return null
  return {
    kind: 'api_key',
    id: row.id,
    user: row.issuer,
    organization: row.organization_id,
    role: null,
    scopes: ['items:read'],
    administrator: false,
    plan: row.plan,
    confined: row.item_id === null ? { collection: row.collection_id! } : { item: row.item_id },
  }
}

/** The principal without credentials: it has only the scope of the public operation. */
export const visitor = (scope: string | null): Principal => ({
  kind: 'human',
  id: 'visitor',
  user: null,
  organization: null,
  role: null,
  scopes: scope === null || isPrivileged(scope) ? [] : [scope],
  administrator: false,
})
