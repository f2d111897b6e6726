import Type from 'typebox'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { ArchiveDownload, Asset, AssetDownload } from '../schemas/asset.ts'
import { Geometry } from '../schemas/geojson.ts'
import {
  CloudCover,
  GroundSamplingDistance,
  Item,
  ItemName,
  ItemType,
  LifecycleState,
  LongText,
} from '../schemas/item.ts'
import {
  BaseUrl,
  Bbox,
  ClearIfNull,
  Count,
  WithDefault,
  WithDescription,
  OkResultWithId,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  ReasonInput,
  IdResult,
  AnyObject,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { ItemLineage } from '../schemas/provenance.ts'
import { StacItem } from '../schemas/stac.ts'

const BandNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 1000,
  description: 'Band names, in the order of the bands.',
})

const descriptionFields = {
  collection_id: OptionalNullable(Uuid),
  description: OptionalNullable(LongText),
  geometry: OptionalNullable(Geometry),
  bbox: OptionalNullable(Bbox),
  datetime: OptionalNullable(Timestamp),
  cloud_cover: OptionalNullable(CloudCover),
  gsd: OptionalNullable(GroundSamplingDistance),
}

const referencedOrigin = WithDescription(
  'Must exist. It is not stored on the item: the lineage records the origin of an item.',
  OptionalNullable(Uuid),
)

const readProblems = ['not-found', 'not-a-member', 'gone-retention'] as const
const writeProblems = ['not-found', 'not-a-member', 'invalid-state'] as const

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
  problems: [...writeProblems, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
  implemented: true,
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
    description: ClearIfNull(LongText),
    geometry: ClearIfNull(Geometry),
    bbox: ClearIfNull(Bbox, 'Null computes it from the geometry.'),
    datetime: ClearIfNull(Timestamp),
    cloud_cover: ClearIfNull(CloudCover),
    gsd: ClearIfNull(GroundSamplingDistance),
    properties: ClearIfNull(AnyObject, 'Null removes all of them.'),
    lifecycle_state: KeepIfNull(
      WithDescription('`active` or `archived`; only the platform sets the others.', LifecycleState),
    ),
  }),
  output: Item,
  problems: [...writeProblems, 'gone-retention', 'quota-storage'],
  emits: ['item.updated'],
  implemented: true,
})

export const itemsDeleteOperation = operation({
  id: 'items.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete an item; it no longer appears in lists and searches.',
  input: StrictObject({ item_id: Uuid }),
  output: OkResultWithId,
  problems: writeProblems,
  emits: ['item.deleted'],
  implemented: true,
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
  problems: [...writeProblems, 'gone-retention', 'quota-storage'],
  emits: ['item.created'],
  implemented: true,
})

export const itemsGetOperation = operation({
  id: 'items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item.',
  input: StrictObject({ item_id: Uuid }),
  output: Type.Object({ item: Item }),
  problems: readProblems,
  implemented: true,
})

export const itemsGetStacOperation = operation({
  id: 'items.get_stac',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item as a STAC 1.0.0 Item.',
  media_type: 'application/geo+json',
  input: StrictObject({ item_id: Uuid, base_url: OptionalNullable(BaseUrl) }),
  output: StacItem,
  problems: readProblems,
  implemented: true,
})

export const itemsLineageOperation = operation({
  id: 'items.lineage',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the direct sources and derivatives of an item.',
  input: StrictObject({ item_id: Uuid }),
  output: ItemLineage,
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const itemsListAssetsOperation = operation({
  id: 'items.list_assets',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the assets of an item.',
  input: StrictObject({ item_id: Uuid }),
  output: List('assets', Asset),
  problems: readProblems,
  implemented: true,
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
  problems: [...readProblems, 'past-due', 'invalid-state', 'download-cap', 'bandwidth-breaker'],
  implemented: true,
})

export const itemsDownloadOperation = operation({
  id: 'items.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all files of an item as one ZIP; it is valid for 15 minutes.',
  input: StrictObject({ item_id: Uuid }),
  output: ArchiveDownload,
  problems: [...readProblems, 'past-due', 'invalid-state', 'budget-exceeded', 'download-cap', 'bandwidth-breaker'],
  extension: true,
  implemented: true,
})

export const itemsSetAssetBandNamesOperation = operation({
  id: 'items.set_asset_band_names',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the band names of an asset, one name per band.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid, band_names: BandNames }),
  output: IdResult,
  problems: [...writeProblems, 'gone-retention'],
  emits: ['item.updated'],
  implemented: true,
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
  problems: [...readProblems, 'forbidden', 'unsupported-raster', 'budget-exceeded', 'upstream'],
  implemented: true,
})

export const itemsExpireBatchOperation = operation({
  id: 'items.expire_batch',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Expire every item whose retention has ended.',
  input: ReasonInput,
  output: Type.Object({ expired_count: Count }),
  emits: ['item.updated'],
  implemented: true,
})
