import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid, WithDescription } from '../primitives.ts'

/** An item with its stored files as one download, which clients of the second generation call an asset. */
export const Bundle = Type.Object({
  id: WithDescription('The id of the item.', Uuid),
  accountId: WithDescription('The organization.', Uuid),
  workspaceId: WithDescription('The project.', Uuid),
  name: Type.String(),
  title: Nullable(Type.String(), { description: 'The title that a user gave it.' }),
  tags: Type.Array(Type.String(), { description: 'The tags that users gave it.' }),
  size: WithDescription('Bytes of its stored files.', Count),
  contentType: Type.Literal('application/zip'),
  source: Type.Enum(['ARCHIVE', 'TASKING', 'PROCESSING', 'USER'], { description: 'What the item is the result of.' }),
  orderId: Nullable(Uuid),
  productId: Nullable(Type.String(), { description: 'The data product of its order.' }),
  collectionName: Nullable(Type.String(), { description: 'The collection of the host that it comes from.' }),
  producerName: Nullable(Type.String()),
  geospatialMetadataExtractionStatus: Type.Enum(['SUCCESSFUL', 'NOT_PROCESSED'], {
    description: '`SUCCESSFUL` if the item has a geometry.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export type Bundle = Static<typeof Bundle>
