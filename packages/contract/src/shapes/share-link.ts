import Type, { type Static } from 'typebox'
import { Geometry } from './geojson.ts'
import { ItemType } from './item.ts'
import { Bbox, Count, Nullable, Timestamp, Uuid } from './primitives.ts'

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

/** A link as those who share see it later. */
export const SharedLink = Type.Object({
  ...ShareLink.properties,
  token: Nullable(Type.String({ description: 'Null where the master secret has been changed since.' })),
  url: Nullable(Type.String()),
  active: Type.Boolean({ description: 'It opens: neither revoked nor over, and under its cap of views.' }),
  view_cap: Nullable(Count),
  cost_cap_credits: Nullable(Count),
  tile_count: Count,
  download_count: Count,
  sent_bytes: Type.Integer({ minimum: 0, description: 'Of files that visitors fetched.' }),
  cost_credits: Type.Integer({ minimum: 0, description: 'What its tiles have cost so far.' }),
  updated_at: Timestamp,
})

/** A token for the addresses of a map; it opens the link for a short time. */
export const ShareSession = Type.Object({
  token: Type.String(),
  expires_at: Timestamp,
  expires_in_seconds: Count,
  permission: SharePermission,
  target_type: ShareTargetType,
  tilejson_url: Type.String(),
})

const SharedAsset = Type.Object({
  id: Uuid,
  key: Type.String(),
  title: Nullable(Type.String()),
  media_type: Type.String(),
  roles: Type.Array(Type.String()),
  file_size_bytes: Nullable(Count),
  ready: Type.Boolean(),
})

/** What a visitor sees of an item; its files only where they may be fetched. */
export const SharedItem = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  type: ItemType,
  datetime: Nullable(Timestamp),
  start_datetime: Nullable(Timestamp),
  end_datetime: Nullable(Timestamp),
  geometry: Nullable(Geometry),
  bbox: Nullable(Bbox),
  cloud_cover: Nullable(Type.Number()),
  gsd: Nullable(Type.Number()),
  attribution: Nullable(Type.String()),
  assets: Type.Array(SharedAsset),
})

export type SharedLink = Static<typeof SharedLink>
export type SharedItem = Static<typeof SharedItem>
export type ShareSession = Static<typeof ShareSession>
export type ShareLink = Static<typeof ShareLink>
