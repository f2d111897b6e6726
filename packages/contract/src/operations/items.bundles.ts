import Type from 'typebox'
import { operation } from '../operation.ts'
import { PageEnvelope, pageNumberPaging } from '../paging.ts'
import { itemReadProblems, itemWriteProblems } from '../problems.ts'
import { Bundle } from '../schemas/clients/bundle.ts'
import {
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'

const optionalText = (description: string) => OptionalNullable(Type.String({ maxLength: 2000, description }))

const BundleId = WithDescription('The id of an item.', Uuid)

export const itemsBundlesListOperation = operation({
  id: 'items.bundles.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items that the caller can see, each with its stored files as one download.',
  input: StrictObject({
    createdAfter: WithDescription('Only items that were created then or later.', OptionalNullable(Timestamp)),
    createdBefore: WithDescription('Only items that were created then or earlier.', OptionalNullable(Timestamp)),
    workspaceId: WithDescription('Only items of this project.', OptionalNullable(Uuid)),
    collectionNames: optionalText('Collections of hosts, comma-separated.'),
    producerNames: optionalText('Producers, comma-separated.'),
    tags: optionalText('Tags, comma-separated; matches items with any of them.'),
    sources: optionalText('`ARCHIVE`, `TASKING`, `PROCESSING` or `USER`, comma-separated.'),
    search: optionalText('Part of the name or the title, or the id of the order.'),
    ...pageNumberPaging(),
    sort: WithDefault(
      Type.String({
        pattern: '^(name|title|size|createdAt|updatedAt|source|collectionName|producerName),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'createdAt,desc',
    ),
  }),
  output: PageEnvelope(Bundle),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
  extension: true,
})

export const itemsBundlesGetOperation = operation({
  id: 'items.bundles.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item as one download: its title, its tags and the size of its stored files.',
  input: StrictObject({ bundle_id: BundleId }),
  output: Bundle,
  problems: itemReadProblems,
  extension: true,
})

export const itemsBundlesUpdateOperation = operation({
  id: 'items.bundles.update',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the title and the tags by which users find an item; its name stays.',
  input: StrictObject({
    bundle_id: BundleId,
    title: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 500 }), { description: 'Null removes it.' })),
    tags: Type.Optional(
      Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }), {
        description: 'Null removes all of them.',
      }),
    ),
  }),
  output: Bundle,
  problems: [...itemWriteProblems, 'gone-retention', 'quota-storage'],
  emits: ['item.updated'],
  extension: true,
})

export const itemsBundlesDownloadOperation = operation({
  id: 'items.bundles.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all files of an item as one ZIP, or for a single file by its own id.',
  input: StrictObject({
    bundle_id: WithDescription('The id of an item, or of one of the assets of an item.', Uuid),
  }),
  output: Type.Object({
    url: Type.String(),
    expires_in_seconds: Type.Integer({ minimum: 0 }),
    media_type: Type.String(),
  }),
  problems: [...itemReadProblems, 'past-due', 'invalid-state', 'budget-exceeded', 'download-cap', 'bandwidth-breaker'],
  extension: true,
})
