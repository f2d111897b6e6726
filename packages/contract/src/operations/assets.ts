import Type from 'typebox'
import { operation } from '../operation.ts'
import { Input, Nullable, Uuid } from '../shapes/primitives.ts'

export const assetsDelete = operation({
  id: 'assets.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete an asset of an item; refused while a job reads it.',
  input: Input({ item_id: Uuid, asset_id: Uuid }),
  output: Type.Object({ id: Nullable(Uuid) }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['asset.deleted'],
})
