import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

const tileTokenFields = {
  id: Uuid,
  item_id: Nullable(Uuid),
  collection_id: Nullable(Uuid),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token, to identify it.' }),
  expires_at: Timestamp,
  created_at: Timestamp,
}

/** A token for tile URLs, without its secret. */
export const TileToken = Type.Object({ ...tileTokenFields, revoked_at: Nullable(Timestamp) })

/** A new tile token with its secret, which is shown only once. */
export const NewTileToken = Type.Object({
  ...tileTokenFields,
  token: Type.String({ description: 'Sent as `key` (or `token`) in the query string; shown only once.' }),
  urls: Nullable(Type.Object({ tiles: Type.String(), tilejson: Type.String(), wmts: Type.String() }), {
    description: 'URLs for map clients; null for a collection, whose items have one each.',
  }),
})

export type TileToken = Static<typeof TileToken>
