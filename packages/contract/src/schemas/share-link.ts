import Type, { type Static } from 'typebox'
import { Geometry } from './geojson.ts'
import { ItemType } from './item.ts'
import { Bbox, Count, Nullable, Timestamp, Uuid, WithDescription, WithDefault } from './primitives.ts'

export const ShareTargetType = Type.Enum(['item', 'collection'], { description: 'Type of the shared resource.' })
export const SharePermission = Type.Enum(['view', 'download'], {
  description: '`download` also permits visitors to download files.',
})

/** A password-protected link to an item or a collection. */
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

/** A share link with its usage, for those who manage it. */
export const ShareLinkDetails = Type.Object({
  ...ShareLink.properties,
  token: Nullable(Type.String({ description: 'Null if the master secret has changed since.' })),
  url: Nullable(Type.String()),
  active: Type.Boolean({
    description: 'True if the link is neither revoked nor expired and has not reached its view limit.',
  }),
  view_cap: Nullable(Count),
  cost_cap_credits: Nullable(Count),
  tile_count: Count,
  download_count: Count,
  sent_bytes: Type.Integer({ minimum: 0, description: 'Bytes of the files that visitors downloaded.' }),
  cost_credits: Type.Integer({ minimum: 0, description: 'Cost of its tiles so far.' }),
  updated_at: Timestamp,
})

/** A short-lived token of a share link for tile URLs. */
export const ShareSession = Type.Object({
  token: Type.String(),
  expires_at: Timestamp,
  expires_in_seconds: Count,
  permission: SharePermission,
  target_type: ShareTargetType,
  tilejson_url: Type.String(),
  link_expires_at: WithDescription('When the link expires, and with it every session.', Timestamp),
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

/** An item as a visitor sees it; assets are listed only if the link permits downloads. */
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

export type ShareLinkDetails = Static<typeof ShareLinkDetails>
export type SharedItem = Static<typeof SharedItem>
export type ShareSession = Static<typeof ShareSession>
export type ShareLink = Static<typeof ShareLink>

/** The credentials of a visitor, instead of an access token. */
export const shareVisitorCredentialFields = {
  token: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The token of the link, with its password; or a token of `share.session.create`, without.',
  }),
  password: WithDefault(Type.String({ maxLength: 1000 }), ''),
}
