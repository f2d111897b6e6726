import Type from 'typebox'
import { operation } from '../operation.ts'
import { Asset } from '../shapes/asset.ts'
import { Text } from '../shapes/item.ts'
import { Count, Default, Input, Maybe, Nullable, Open, Uuid } from '../shapes/primitives.ts'

export const assetsDelete = operation({
  id: 'assets.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete an asset of an item; refused while a job reads it.',
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
  summary: 'Add an asset whose file stays at an outside address; a GeoTIFF is opened there and described.',
  input: Input({
    item_id: Uuid,
    key: Type.String({ minLength: 1, maxLength: 200, description: 'Its name among the assets of the item.' }),
    href: Type.String({ maxLength: 2000, description: 'An `https:` or `s3:` address that anybody can read.' }),
    title: Maybe(Type.String({ maxLength: 500, description: 'What people read.' })),
    description: Maybe(Text),
    media_type: Maybe(
      Type.String({ maxLength: 127, description: 'Told from the ending of the address when left out.' }),
    ),
    roles: Maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20, description: '`data` when left out.' }),
    ),
    read: Default(Type.Boolean({ description: 'False leaves the file unopened; it cannot be drawn then.' }), true),
    properties: Maybe(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'Further members of the STAC asset, such as `proj:shape`; what the file says wins.',
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
  summary: 'Read one file of an item with what is known of it.',
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
  summary: 'Read all bytes of a stored asset and compare their number and checksum with what was kept.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({
    asset_id: Uuid,
    intact: Type.Boolean({ description: 'The bytes are there and both agree.' }),
    stored: Type.Boolean({ description: 'The bytes are there.' }),
    size_bytes: Type.Object({ kept: Nullable(Count), found: Nullable(Count) }),
    sha256: Type.Object({ kept: Nullable(Type.String()), found: Nullable(Type.String()) }),
  }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'invalid-state'],
  extension: true,
  answered: true,
})
