import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const ApiKey = Type.Object({
  id: Uuid,
  prefix: Type.String({ description: 'The first characters of the key, to identify it.' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  rate_limit: Nullable(Type.Integer({ description: 'Requests per minute; null for the limit of the organization.' })),
  spend_cap_credits: Nullable(
    Type.Integer({ description: 'Credits that the key may spend in total; null for no limit of its own.' }),
  ),
  created_by: Nullable(Uuid),
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** The only response that contains the whole key. */
export const NewApiKey = Type.Object({
  id: Uuid,
  key: Type.String({ description: 'The secret; shown only once.' }),
  prefix: Type.String(),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  rate_limit: Nullable(Type.Integer()),
  spend_cap_credits: Nullable(Type.Integer()),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export type ApiKey = Static<typeof ApiKey>
export type NewApiKey = Static<typeof NewApiKey>
