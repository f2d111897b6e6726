import { humanScopes, isPrivileged, keyFlags, scopesOfKey } from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks, OrganizationTime } from '../../platform/clock.ts'
import type { KeyRow, PersonRow } from './store.ts'
import type { TileTokenRow } from './store.tile-tokens.ts'

/** What a signed-in person may ask for: every resource but the privileged ones; administrators those, too. */
export function scopesOfPerson(person: Pick<PersonRow, 'is_administrator' | 'is_clip_user'>): string[] {
  const more = person.is_administrator ? ['admin:*', 'clip:*'] : person.is_clip_user ? ['clip:*'] : []
  return [...humanScopes, ...more]
}

/**
 * A person as principal; null for one who was disabled. Whoever belongs to a suspended organization signs in, reads and downloads
 * (spending is refused where it is done); an organization that was deleted is none any more.
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

/** True for a key that is neither revoked nor past its end, of an organization that is still there. */
const isLiveKey = (key: KeyRow, now: OrganizationTime): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > now) && key.organization_status !== 'deleted'

/** An API key as principal; null for a dead one. It stays an API key, whatever it is exchanged for. */
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
 * A token of a map as principal, with the rights of the person behind it; null for a dead one. Whoever asks for more than
 * pictures of what it is for is refused (`confined`).
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

/** The scopes of a visitor without a token: the one of the public operation that is asked, nothing else. */
export const visitor = (scope: string | null): Principal => ({
  kind: 'human',
  id: 'visitor',
  user: null,
  organization: null,
  role: null,
  scopes: scope === null || isPrivileged(scope) ? [] : [scope],
  administrator: false,
})
