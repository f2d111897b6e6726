import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging, nextOffsetField, ListEnvelopeWithNextOffset } from '../paging.ts'
import { itemWriteProblems, itemReadProblems, vectorReadProblems } from '../problems.ts'
import { Asset, AssetDownload, ArchiveDownload, VectorAssetKey } from '../schemas/asset.ts'
import { Geometry, Feature } from '../schemas/geojson.ts'
import {
  CloudCoverPercent,
  GroundSamplingDistance,
  LongTextField,
  Item,
  ItemName,
  ItemType,
  LifecycleState,
} from '../schemas/item.ts'
import {
  Bbox,
  OptionalNullable,
  Timestamp,
  Uuid,
  WithDescription,
  StrictObject,
  AnyObject,
  ClearIfNull,
  KeepIfNull,
  OkResultWithId,
  BaseUrl,
  WithDefault,
  IdResult,
  Count,
  ReasonInput,
  Nullable,
  Datetime,
} from '../schemas/primitives.ts'
import { ItemLineage } from '../schemas/provenance.ts'
import { StacItem, SortBy } from '../schemas/stac.ts'

const BandNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 1000,
  description: 'Band names, in the order of the bands.',
})

const descriptionFields = {
  collection_id: OptionalNullable(Uuid),
  description: OptionalNullable(LongTextField),
  geometry: OptionalNullable(Geometry),
  bbox: OptionalNullable(Bbox),
  datetime: OptionalNullable(Timestamp),
  cloud_cover: OptionalNullable(CloudCoverPercent),
  gsd: OptionalNullable(GroundSamplingDistance),
}

const referencedOrigin = WithDescription(
  'Must exist. The lineage of the item names it; the item itself does not, unless the platform made it.',
  OptionalNullable(Uuid),
)

export const itemsCreateOperation = operation({
  id: 'items.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Create an item in a project.',
  body_limit_bytes: null,
  input: StrictObject({
    project_id: Uuid,
    name: ItemName,
    type: ItemType,
    stac_id: OptionalNullable(
      Type.String({ minLength: 1, maxLength: 500, description: 'Unique in the organization.' }),
    ),
    ...descriptionFields,
    start_datetime: OptionalNullable(Timestamp),
    end_datetime: OptionalNullable(Timestamp),
    properties: Type.Optional(AnyObject),
    stac_extensions: Type.Optional(
      Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100, description: 'Schema URLs of the extensions.' }),
    ),
    order_id: referencedOrigin,
    upload_id: referencedOrigin,
    job_id: referencedOrigin,
  }),
  output: Item,
  problems: [...itemWriteProblems, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
})

export const itemsUpdateOperation = operation({
  id: 'items.update',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Update an item; absent fields keep their values, and `properties` are replaced as a whole.',
  body_limit_bytes: null,
  input: StrictObject({
    item_id: Uuid,
    name: KeepIfNull(ItemName),
    collection_id: ClearIfNull(Uuid, 'Null removes it from its collection.'),
    description: ClearIfNull(LongTextField),
    geometry: ClearIfNull(Geometry),
    bbox: ClearIfNull(Bbox, 'Null computes it from the geometry.'),
    datetime: ClearIfNull(Timestamp),
    cloud_cover: ClearIfNull(CloudCoverPercent),
    gsd: ClearIfNull(GroundSamplingDistance),
    properties: ClearIfNull(AnyObject, 'Null removes all of them.'),
    lifecycle_state: KeepIfNull(
      WithDescription('`active` or `archived`; only the platform sets the others.', LifecycleState),
    ),
  }),
  output: Item,
  problems: [...itemWriteProblems, 'gone-retention', 'stac-id-taken', 'quota-storage'],
  emits: ['item.updated'],
})

export const itemsDeleteOperation = operation({
  id: 'items.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete an item; it no longer appears in lists and searches.',
  input: StrictObject({ item_id: Uuid }),
  output: OkResultWithId,
  problems: itemWriteProblems,
  emits: ['item.deleted'],
})

export const itemsDuplicateOperation = operation({
  id: 'items.duplicate',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Copy an item with its assets and visualization profiles.',
  input: StrictObject({
    item_id: Uuid,
    new_name: OptionalNullable(ItemName),
    target_collection_id: OptionalNullable(Uuid),
    target_project_id: OptionalNullable(Uuid),
  }),
  output: Item,
  problems: [...itemWriteProblems, 'gone-retention', 'quota-storage'],
  emits: ['item.created'],
})

export const itemsGetOperation = operation({
  id: 'items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item.',
  input: StrictObject({ item_id: Uuid }),
  output: Type.Object({ item: Item }),
  problems: itemReadProblems,
})

export const itemsGetStacOperation = operation({
  id: 'items.get_stac',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item as a STAC 1.0.0 Item.',
  media_type: 'application/geo+json',
  input: StrictObject({ item_id: Uuid, base_url: OptionalNullable(BaseUrl) }),
  output: StacItem,
  problems: itemReadProblems,
})

export const itemsLineageOperation = operation({
  id: 'items.lineage',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the direct sources and derivatives of an item.',
  input: StrictObject({ item_id: Uuid }),
  output: ItemLineage,
  problems: ['not-found', 'not-a-member'],
})

export const itemsListAssetsOperation = operation({
  id: 'items.list_assets',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the assets of an item.',
  input: StrictObject({ item_id: Uuid }),
  output: ListEnvelope('assets', Asset),
  problems: itemReadProblems,
})

export const itemsAssetDownloadOperation = operation({
  id: 'items.asset.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for an asset; it is valid for 15 minutes and needs no token.',
  input: StrictObject({
    item_id: Uuid,
    asset_id: Uuid,
    again: WithDescription(
      'For range readers: return the URL that this caller received before, if it is valid for five more minutes.',
      WithDefault(Type.Boolean(), false),
    ),
  }),
  output: AssetDownload,
  problems: [...itemReadProblems, 'past-due', 'invalid-state', 'download-cap', 'bandwidth-breaker'],
})

export const itemsDownloadOperation = operation({
  id: 'items.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all files of an item as one ZIP; it is valid for 15 minutes.',
  input: StrictObject({ item_id: Uuid }),
  output: ArchiveDownload,
  problems: [...itemReadProblems, 'past-due', 'invalid-state', 'budget-exceeded', 'download-cap', 'bandwidth-breaker'],
  extension: true,
})

export const itemsSetAssetBandNamesOperation = operation({
  id: 'items.set_asset_band_names',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the band names of an asset, one name per band.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid, band_names: BandNames }),
  output: IdResult,
  problems: [...itemWriteProblems, 'gone-retention'],
  emits: ['item.updated'],
})

export const itemsDetectAssetBandsOperation = operation({
  id: 'items.detect_asset_bands',
  scope: 'items:read',
  effect: 'compute',
  summary: 'Suggest band names for an asset; nothing is stored.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({
    suggested_band_names: Type.Array(Type.String()),
    current_band_names: Type.Array(Type.String()),
    method: Type.String({ description: 'Method of the suggestion, such as `reflectance_ranking`.' }),
  }),
  problems: [...itemReadProblems, 'forbidden', 'unsupported-raster', 'budget-exceeded', 'upstream'],
})

export const itemsExpireBatchOperation = operation({
  id: 'items.expire_batch',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Expire every item whose retention has ended.',
  input: ReasonInput,
  output: Type.Object({ expired_count: Count }),
  emits: ['item.updated'],
})

/** The reason why a row of a batch was rejected: the members of its problem document. */
const RowProblem = Type.Object({
  problem: Type.String({ description: 'The name of the problem, such as `stac-id-taken`.' }),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

export const itemsRestoreOperation = operation({
  id: 'items.restore',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Restore a deleted item with its assets, within 30 days of its deletion.',
  input: StrictObject({ item_id: Uuid }),
  output: Item,
  problems: [...itemWriteProblems, 'gone-retention', 'stac-id-taken'],
  emits: ['item.updated'],
  extension: true,
})

export const itemsBatchCreateOperation = operation({
  id: 'items.batch_create',
  scope: 'items:write',
  effect: 'compute',
  summary:
    'Create up to 1,000 items from STAC Items; assets stay at their URLs and each row succeeds or fails on its own.',
  body_limit_bytes: null,
  input: StrictObject({
    project_id: Uuid,
    collection_id: WithDescription(
      'Collection of the items; defaults to the `collection` of each feature if that is the id of a collection in the project.',
      OptionalNullable(Uuid),
    ),
    type: WithDefault(ItemType, 'external_reference'),
    features: Type.Array(AnyObject, {
      minItems: 1,
      maxItems: limits.max_batch_items,
      description: 'STAC Items of version 0.6 to 1.1; they are stored as 1.0.0.',
    }),
  }),
  output: Type.Object({
    created: Count,
    refused: Count,
    results: Type.Array(
      Type.Object({
        index: Count,
        stac_id: Nullable(Type.String()),
        item_id: Nullable(Uuid),
        refusal: Nullable(RowProblem),
      }),
      { description: 'One result per feature, in the same order.' },
    ),
  }),
  problems: [...itemWriteProblems, 'quota-storage'],
  emits: ['item.created'],
  extension: true,
})

export const itemsBatchDeleteOperation = operation({
  id: 'items.batch_delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete up to 1,000 items; each row succeeds or fails on its own.',
  input: StrictObject({ item_ids: Type.Array(Uuid, { minItems: 1, maxItems: limits.max_batch_items }) }),
  output: Type.Object({
    deleted: Count,
    refused: Count,
    results: Type.Array(Type.Object({ item_id: Uuid, deleted: Type.Boolean(), refusal: Nullable(RowProblem) }), {
      description: 'One result per id, in the same order.',
    }),
  }),
  problems: itemWriteProblems,
  emits: ['item.deleted'],
  extension: true,
})

const itemsPaging = offsetPaging(limits.items_rest_limit)

const searchFields = {
  bbox: OptionalNullable(Bbox),
  datetime: OptionalNullable(Datetime),
  ...itemsPaging,
  collections: OptionalNullable(Type.Array(Uuid, { maxItems: 1000, description: 'Only items of these collections.' })),
  type: OptionalNullable(ItemType),
  query: WithDescription(
    'Property filters of the STAC query extension, such as `{"eo:cloud_cover": {"lt": 20}}`.',
    OptionalNullable(AnyObject),
  ),
  sortby: SortBy,
  format: OptionalNullable(
    Type.Enum(['stac'], { description: '`stac` returns STAC Items; by default items are flat objects.' }),
  ),
  base_url: OptionalNullable(BaseUrl),
}

const ItemSearchResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(Type.Union([StacItem, Item])),
  numberMatched: Count,
  next_offset: nextOffsetField,
})

export const itemsListOperation = operation({
  id: 'items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a project, newest first.',
  input: StrictObject({
    project_id: Uuid,
    collection_id: OptionalNullable(Uuid),
    uncollected: WithDefault(Type.Boolean({ description: 'Only items without a collection.' }), false),
    ...itemsPaging,
  }),
  output: ListEnvelopeWithNextOffset('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'conflicting-parameters'],
})

export const itemsListByCollectionOperation = operation({
  id: 'items.list_by_collection',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a collection, newest first.',
  input: StrictObject({ collection_id: Uuid, ...itemsPaging }),
  output: ListEnvelopeWithNextOffset('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
})

export const itemsSearchOperation = operation({
  id: 'items.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of a project by geometry, time and properties.',
  input: StrictObject({ project_id: Uuid, ...searchFields }),
  output: ItemSearchResult,
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
})

export const itemsSearchOrgOperation = operation({
  id: 'items.search_org',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of every project that the caller can see.',
  input: StrictObject(searchFields),
  output: ItemSearchResult,
  paging: 'offset',
  problems: ['budget-exceeded'],
})

export const itemsListExpiringOperation = operation({
  id: 'items.list_expiring',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the items whose retention ends within a number of days.',
  input: StrictObject({
    days: WithDefault(Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from now.' }), 7),
  }),
  output: ListEnvelope('items', Item),
})

export const itemsFeaturesListOperation = operation({
  id: 'items.features.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the features of a vector item as GeoJSON in WGS 84, in file order.',
  media_type: 'application/geo+json',
  paging: 'offset',
  input: StrictObject({
    item_id: Uuid,
    asset_key: VectorAssetKey,
    bbox: WithDescription('Only features whose bounding box intersects this one.', OptionalNullable(Bbox)),
    properties: WithDescription(
      'Only features whose properties have these values, such as `{"kind": "field"}`.',
      OptionalNullable(AnyObject),
    ),
    ...offsetPaging(),
  }),
  output: Type.Object({
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(Feature, { description: 'A page holds fewer features if it would exceed 8 MiB.' }),
    limit: Count,
    offset: Count,
    total: Type.Integer({ minimum: 0, description: 'Number of matching features on all pages.' }),
    numberMatched: Type.Integer({ minimum: 0, description: 'The same as `total`, by its OGC name.' }),
    numberReturned: Count,
  }),
  problems: vectorReadProblems,
  extension: true,
})
