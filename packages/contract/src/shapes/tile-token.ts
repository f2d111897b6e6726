import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

const known = {
  id: Uuid,
  item_id: Nullable(Uuid),
  collection_id: Nullable(Uuid),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters, to recognise it by.' }),
  expires_at: Timestamp,
  created_at: Timestamp,
}

/** A token for the address of a map, without its secret. */
export const TileToken = Type.Object({ ...known, revoked_at: Nullable(Timestamp) })

/** A new one, with what is shown this once. */
export const NewTileToken = Type.Object({
  ...known,
  token: Type.String({ description: 'To be sent as `key` (or `token`) in the address; shown this once.' }),
  urls: Nullable(Type.Object({ tiles: Type.String(), tilejson: Type.String(), wmts: Type.String() }), {
    description: 'Addresses to paste into a map; null for a collection, whose items have one each.',
  }),
})

export type TileToken = Static<typeof TileToken>
