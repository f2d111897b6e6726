import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** A version of a licence text; a newer version must be accepted again. */
export const EulaDocument = Type.Object({
  id: Uuid,
  eulaId: Uuid,
  version: Type.String(),
  language: Type.String(),
  content: Type.String({ description: 'The text, or its URL if `mediaType` is `text/uri-list`.' }),
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
  currentDocumentId: Nullable(Uuid, {
    description: 'The version that is valid now; null if the first one is not yet.',
  }),
  isAccepted: Type.Boolean({
    description: 'The organization has accepted the version that is valid now, or none is valid yet.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** An agreement that an order needs. */
export const RequiredEula = Type.Object({
  eulaId: Uuid,
  documentId: Uuid,
  title: Type.String(),
  version: Type.String(),
  isAccepted: Type.Boolean(),
})

/** The acceptance of a version by an organization, or its withdrawal; never changed. */
export const EulaAcceptance = Type.Object({
  id: Uuid,
  eulaId: Uuid,
  documentId: Uuid,
  title: Type.String(),
  version: Type.String(),
  contentSha256: Type.String({ description: 'Checksum of the accepted `content`, in hexadecimal digits.' }),
  isAccepted: Type.Boolean({ description: 'False for a withdrawal.' }),
  actorKind: Type.String({ description: 'Who decided: `human`, `api_key` or `service`.' }),
  actorId: Type.String(),
  createdAt: Timestamp,
})

export type EulaDocument = Static<typeof EulaDocument>
export type RequiredEula = Static<typeof RequiredEula>
export type EulaAcceptance = Static<typeof EulaAcceptance>
export type Eula = Static<typeof Eula>
