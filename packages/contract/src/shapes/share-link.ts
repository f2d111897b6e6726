import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const ShareTargetType = Type.Enum(['item', 'collection'], { description: 'What is shared.' })
export const SharePermission = Type.Enum(['view', 'download'], {
  description: '`download` also lets visitors fetch files.',
})

/** A link behind which a visitor sees an item or a collection with a password. */
export const ShareLink = Type.Object({
  id: Uuid,
  token: Type.String(),
  target_type: ShareTargetType,
  target_id: Uuid,
  permission: SharePermission,
  organization_id: Uuid,
  project_id: Uuid,
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  access_count: Count,
  last_accessed_at: Nullable(Timestamp),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
})

export type ShareLink = Static<typeof ShareLink>
