import Type from 'typebox'
import { operation } from '../operation.ts'
import { Asset } from '../schemas/asset.ts'
import { LongTextField } from '../schemas/item.ts'
import { Count, WithDefault, StrictObject, OptionalNullable, Nullable, AnyObject, Uuid } from '../schemas/primitives.ts'

export const assetsDeleteOperation = operation({
  id: 'assets.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete an asset of an item; rejected while a job reads it.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({ id: Nullable(Uuid) }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['asset.deleted'],
})

export const assetsCreateOperation = operation({
  id: 'assets.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Add an asset whose file stays at an external URL; the metadata of a GeoTIFF is read from there.',
  input: StrictObject({
    item_id: Uuid,
    key: Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset, unique in the item.' }),
    href: Type.String({ maxLength: 2000, description: 'A public `https:` or `s3:` URL.' }),
    title: OptionalNullable(Type.String({ maxLength: 500, description: 'Display title.' })),
    description: OptionalNullable(LongTextField),
    media_type: OptionalNullable(
      Type.String({ maxLength: 127, description: 'Defaults to the media type of the file name extension.' }),
    ),
    roles: OptionalNullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: 'STAC asset roles; defaults to `data`.',
      }),
    ),
    read: WithDefault(
      Type.Boolean({ description: 'If false the file is not opened, and the asset cannot be rendered.' }),
      true,
    ),
    properties: OptionalNullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'Further members of the STAC asset, such as `proj:shape`; metadata of the file takes precedence.',
      }),
    ),
  }),
  output: Asset,
  problems: [
    'quota-storage',
    'not-found',
    'not-a-member',
    'invalid-state',
    'gone-retention',
    'name-taken',
    'forbidden',
    'unsupported-raster',
    'budget-exceeded',
    'upstream',
  ],
  emits: ['item.updated'],
  extension: true,
})

export const assetsGetOperation = operation({
  id: 'assets.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an asset of an item with its metadata.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({ asset: Asset, stac: AnyObject }),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  extension: true,
})

export const assetsVerifyOperation = operation({
  id: 'assets.verify',
  scope: 'items:read',
  effect: 'compute',
  summary: 'Verify the size and checksum of a stored asset by reading all its bytes.',
  input: StrictObject({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({
    asset_id: Uuid,
    intact: Type.Boolean({ description: 'True if the bytes are in storage and size and checksum match.' }),
    stored: Type.Boolean({ description: 'True if the bytes are in storage.' }),
    size_bytes: Type.Object({ kept: Nullable(Count), found: Nullable(Count) }),
    sha256: Type.Object({ kept: Nullable(Type.String()), found: Nullable(Type.String()) }),
  }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'invalid-state'],
  extension: true,
})
