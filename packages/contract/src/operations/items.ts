import Type from 'typebox'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { ArchiveDownload, Asset, AssetDownload } from '../shapes/asset.ts'
import { Geometry } from '../shapes/geojson.ts'
import { CloudCover, GroundSampling, Item, ItemName, ItemType, LifecycleState, Text } from '../shapes/item.ts'
import {
  BaseUrl,
  Bbox,
  ClearedByNull,
  Count,
  Default,
  Described,
  DoneWithId,
  Input,
  KeptByNull,
  Maybe,
  NoInput,
  OnlyId,
  Open,
  Timestamp,
  Uuid,
} from '../shapes/primitives.ts'
import { ItemLineage } from '../shapes/provenance.ts'
import { StacItem } from '../shapes/stac.ts'

const BandNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 1000,
  description: 'Band names, in the order of the bands.',
})

const described = {
  collection_id: Maybe(Uuid),
  description: Maybe(Text),
  geometry: Maybe(Geometry),
  bbox: Maybe(Bbox),
  datetime: Maybe(Timestamp),
  cloud_cover: Maybe(CloudCover),
  gsd: Maybe(GroundSampling),
}

const claimed = Described(
  'Must exist. It is not stored on the item: the lineage records the origin of an item.',
  Maybe(Uuid),
)

const reading = ['not-found', 'not-a-member', 'gone-retention'] as const
const writing = ['not-found', 'not-a-member', 'invalid-state'] as const

export const itemsCreate = operation({
  id: 'items.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Create an item in a project.',
  input: Input({
    project_id: Uuid,
    name: ItemName,
    type: ItemType,
    stac_id: Maybe(Type.String({ minLength: 1, maxLength: 500, description: 'Unique in the organization.' })),
    ...described,
    start_datetime: Maybe(Timestamp),
    end_datetime: Maybe(Timestamp),
    properties: Type.Optional(Open),
    stac_extensions: Type.Optional(
      Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100, description: 'Schema URLs of the extensions.' }),
    ),
    order_id: claimed,
    upload_id: claimed,
    job_id: claimed,
  }),
  output: Item,
  problems: [...writing, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
  answered: true,
})

export const itemsUpdate = operation({
  id: 'items.update',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Update an item; absent fields keep their values, and `properties` are replaced as a whole.',
  input: Input({
    item_id: Uuid,
    name: KeptByNull(ItemName),
    collection_id: ClearedByNull(Uuid, 'Null removes it from its collection.'),
    description: ClearedByNull(Text),
    geometry: ClearedByNull(Geometry),
    bbox: ClearedByNull(Bbox, 'Null computes it from the geometry.'),
    datetime: ClearedByNull(Timestamp),
    cloud_cover: ClearedByNull(CloudCover),
    gsd: ClearedByNull(GroundSampling),
    properties: ClearedByNull(Open, 'Null removes all of them.'),
    lifecycle_state: KeptByNull(
      Described('`active` or `archived`; only the platform sets the others.', LifecycleState),
    ),
  }),
  output: Item,
  problems: [...writing, 'gone-retention', 'quota-storage'],
  emits: ['item.updated'],
  answered: true,
})

export const itemsDelete = operation({
  id: 'items.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete an item; it no longer appears in lists and searches.',
  input: Input({ item_id: Uuid }),
  output: DoneWithId,
  problems: writing,
  emits: ['item.deleted'],
  answered: true,
})

export const itemsDuplicate = operation({
  id: 'items.duplicate',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Copy an item with its assets and visualization profiles.',
  input: Input({
    item_id: Uuid,
    new_name: Maybe(ItemName),
    target_collection_id: Maybe(Uuid),
    target_project_id: Maybe(Uuid),
  }),
  output: Item,
  problems: [...writing, 'gone-retention', 'quota-storage'],
  emits: ['item.created'],
  answered: true,
})

export const itemsGet = operation({
  id: 'items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item.',
  input: Input({ item_id: Uuid }),
  output: Type.Object({ item: Item }),
  problems: reading,
  answered: true,
})

export const itemsGetStac = operation({
  id: 'items.get_stac',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item as a STAC 1.0.0 Item.',
  media_type: 'application/geo+json',
  input: Input({ item_id: Uuid, base_url: Maybe(BaseUrl) }),
  output: StacItem,
  problems: reading,
  answered: true,
})

export const itemsLineage = operation({
  id: 'items.lineage',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the direct sources and derivatives of an item.',
  input: Input({ item_id: Uuid }),
  output: ItemLineage,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const itemsListAssets = operation({
  id: 'items.list_assets',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the assets of an item.',
  input: Input({ item_id: Uuid }),
  output: List('assets', Asset),
  problems: reading,
  answered: true,
})

export const itemsAssetDownload = operation({
  id: 'items.asset.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for an asset; it is valid for 15 minutes and needs no token.',
  input: Input({
    item_id: Uuid,
    asset_id: Uuid,
    again: Described(
      'For range readers: return the URL that this caller received before, if it is valid for five more minutes.',
      Default(Type.Boolean(), false),
    ),
  }),
  output: AssetDownload,
  problems: [...reading, 'past-due', 'invalid-state', 'download-cap', 'bandwidth-breaker'],
  answered: true,
})

export const itemsDownload = operation({
  id: 'items.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all files of an item as one ZIP; it is valid for 15 minutes.',
  input: Input({ item_id: Uuid }),
  output: ArchiveDownload,
  problems: [...reading, 'past-due', 'invalid-state', 'budget-exceeded', 'download-cap', 'bandwidth-breaker'],
  extension: true,
  answered: true,
})

export const itemsSetAssetBandNames = operation({
  id: 'items.set_asset_band_names',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the band names of an asset, one name per band.',
  input: Input({ item_id: Uuid, asset_id: Uuid, band_names: BandNames }),
  output: OnlyId,
  problems: [...writing, 'gone-retention'],
  emits: ['item.updated'],
  answered: true,
})

export const itemsDetectAssetBands = operation({
  id: 'items.detect_asset_bands',
  scope: 'items:read',
  effect: 'compute',
  summary: 'Suggest band names for an asset; nothing is stored.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({
    suggested_band_names: Type.Array(Type.String()),
    current_band_names: Type.Array(Type.String()),
    method: Type.String({ description: 'Method of the suggestion, such as `reflectance_ranking`.' }),
  }),
  problems: [...reading, 'forbidden', 'unsupported-raster', 'budget-exceeded', 'upstream'],
  answered: true,
})

export const itemsExpireBatch = operation({
  id: 'items.expire_batch',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Expire every item whose retention has ended.',
  input: NoInput,
  output: Type.Object({ expired_count: Count }),
  emits: ['item.updated'],
  answered: true,
})
