import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** A licence text at one moment; a newer version asks for a fresh acceptance. */
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

/** The terms of a product, accepted once for an organization. */
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
