import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { itemReadProblems } from '../problems.ts'
import {
  WithDescription,
  AnyObject,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
  ClearIfNull,
  KeepIfNull,
  OkResultWithId,
} from '../schemas/primitives.ts'
import { VisualizationProfileLayer, VisualizationProfileType, VisualizationProfile } from '../schemas/profile.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.max_name_length })

const SortOrder = Type.Integer({
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'Profiles with a lower number come first.',
})

const Config = WithDescription(
  'The rendering parameters (`expression`, `bands`, `rescale`, `colormap`) of `items.tile.render`.',
  AnyObject,
)

const AssetKey = Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset to render.' })

const assetKey = OptionalNullable(AssetKey)

const ProfileInput = StrictObject({ item_id: Uuid, profile_id: Uuid })

const writeProblems = [...itemReadProblems, 'invalid-state'] as const

export const visualizationProfileCreateOperation = operation({
  id: 'visualization.profile.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Create a visualization profile of an item.',
  input: StrictObject({
    item_id: Uuid,
    name: Name,
    layer: WithDefault(WithDescription('Origin of the profile.', VisualizationProfileLayer), 'user'),
    type: VisualizationProfileType,
    is_default: WithDefault(Type.Boolean(), false),
    sort_order: WithDefault(SortOrder, 0),
    config: Config,
    asset_key: assetKey,
  }),
  output: VisualizationProfile,
  problems: [...writeProblems, 'name-taken'],
})

export const visualizationProfileUpdateOperation = operation({
  id: 'visualization.profile.update',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Update a visualization profile and increment its version.',
  input: StrictObject({
    item_id: Uuid,
    profile_id: Uuid,
    name: KeepIfNull(Name),
    type: KeepIfNull(VisualizationProfileType),
    is_default: KeepIfNull(Type.Boolean()),
    sort_order: KeepIfNull(SortOrder),
    config: KeepIfNull(Config),
    asset_key: ClearIfNull(AssetKey),
  }),
  output: VisualizationProfile,
  problems: [...writeProblems, 'name-taken'],
})

export const visualizationProfileDeleteOperation = operation({
  id: 'visualization.profile.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete a visualization profile; if it was the default, the next one becomes the default.',
  input: ProfileInput,
  output: OkResultWithId,
  problems: writeProblems,
})

export const visualizationProfileSetDefaultOperation = operation({
  id: 'visualization.profile.set_default',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the default visualization profile of an item.',
  input: ProfileInput,
  output: VisualizationProfile,
  problems: writeProblems,
})

export const visualizationProfileGetOperation = operation({
  id: 'visualization.profile.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a visualization profile of an item.',
  input: ProfileInput,
  output: Type.Object({ profile: VisualizationProfile }),
  problems: itemReadProblems,
})
