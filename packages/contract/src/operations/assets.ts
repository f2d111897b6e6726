import Type from 'typebox'
import { operation } from '../operation.ts'
import { Asset } from '../shapes/asset.ts'
import { Text } from '../shapes/item.ts'
import { Count, Default, Input, Maybe, Nullable, Open, Uuid } from '../shapes/primitives.ts'

export const assetsDelete = operation({
  id: 'assets.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete an asset of an item; rejected while a job reads it.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({ id: Nullable(Uuid) }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['asset.deleted'],
  answered: true,
})

export const assetsCreate = operation({
  id: 'assets.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Add an asset whose file stays at an external URL; the metadata of a GeoTIFF is read from there.',
  input: Input({
    item_id: Uuid,
    key: Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset, unique in the item.' }),
    href: Type.String({ maxLength: 2000, description: 'A public `https:` or `s3:` URL.' }),
    title: Maybe(Type.String({ maxLength: 500, description: 'Display title.' })),
    description: Maybe(Text),
    media_type: Maybe(
      Type.String({ maxLength: 127, description: 'Defaults to the media type of the file name extension.' }),
    ),
    roles: Maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: 'STAC asset roles; defaults to `data`.',
      }),
    ),
    read: Default(
      Type.Boolean({ description: 'If false the file is not opened, and the asset cannot be rendered.' }),
      true,
    ),
    properties: Maybe(
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
  answered: true,
})

export const assetsGet = operation({
  id: 'assets.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an asset of an item with its metadata.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({ asset: Asset, stac: Open }),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  extension: true,
  answered: true,
})

export const assetsVerify = operation({
  id: 'assets.verify',
  scope: 'items:read',
  effect: 'compute',
  summary: 'Verify the size and checksum of a stored asset by reading all its bytes.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({
    asset_id: Uuid,
    intact: Type.Boolean({ description: 'True if the bytes are in storage and size and checksum match.' }),
    stored: Type.Boolean({ description: 'True if the bytes are in storage.' }),
    size_bytes: Type.Object({ kept: Nullable(Count), found: Nullable(Count) }),
    sha256: Type.Object({ kept: Nullable(Type.String()), found: Nullable(Type.String()) }),
  }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'invalid-state'],
  extension: true,
  answered: true,
})
