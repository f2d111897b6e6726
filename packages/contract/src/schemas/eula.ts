import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** A version of a licence text; a newer version must be accepted again. */
export const EulaDocument = Type.Object({
  id: Uuid,
  eulaId: Uuid,
  version: Type.String(),
  language: Type.String(),
  content: Type.String(),
  mediaType: Type.String(),
  validFrom: Timestamp,
  isAccepted: Type.Boolean(),
  acceptedAt: Nullable(Timestamp),
  acceptedBy: Nullable(Type.String()),
})

/** The licence agreement of a product, accepted once per organization. */
export const Eula = Type.Object({
  id: Uuid,
  name: Type.String(),
  title: Type.String(),
  providers: Type.Array(Type.String()),
  currentDocumentId: Nullable(Uuid),
  isAccepted: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export type EulaDocument = Static<typeof EulaDocument>
export type Eula = Static<typeof Eula>
