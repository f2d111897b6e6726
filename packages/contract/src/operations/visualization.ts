import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import {
  ClearedByNull,
  Default,
  Described,
  DoneWithId,
  Input,
  KeptByNull,
  Maybe,
  Open,
  Uuid,
} from '../shapes/primitives.ts'
import { ProfileLayer, ProfileType, Visualization, VisualizationProfile } from '../shapes/profile.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.name_length })
const SortOrder = Type.Integer({
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'Profiles with a lower number come first.',
})
const Config = Described(
  'The rendering parameters (`expression`, `bands`, `rescale`, `colormap`) of `items.tile.render`.',
  Open,
)
const AssetKey = Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset to render.' })
const assetKey = Maybe(AssetKey)
const one = Input({ item_id: Uuid, profile_id: Uuid })
const reading = ['not-found', 'not-a-member', 'gone-retention'] as const
const writing = [...reading, 'invalid-state'] as const

export const visualizationListFor = operation({
  id: 'visualization.list_for',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the visualizations that are possible with bands of given roles.',
  input: Input({
    band_roles: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'Role to band number, such as `{"red": 4, "nir": 5}`.',
      }),
    ),
    data_type: Default(Type.String({ maxLength: 100, description: '`raster` or `dem`.' }), 'raster'),
    render_params: Described('Rendering parameters to add to each visualization.', Type.Optional(Open)),
    asset: Maybe(Type.String({ maxLength: 200, description: 'The asset key to set in each visualization.' })),
  }),
  output: Type.Object({ visualizations: Type.Array(Visualization), default_id: Type.String() }),
  answered: true,
})

export const visualizationProfileCreate = operation({
  id: 'visualization.profile.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Create a visualization profile of an item.',
  input: Input({
    item_id: Uuid,
    name: Name,
    layer: Default(Described('Origin of the profile.', ProfileLayer), 'user'),
    type: ProfileType,
    is_default: Default(Type.Boolean(), false),
    sort_order: Default(SortOrder, 0),
    config: Config,
    asset_key: assetKey,
  }),
  output: VisualizationProfile,
  problems: [...writing, 'name-taken'],
  answered: true,
})

export const visualizationProfileUpdate = operation({
  id: 'visualization.profile.update',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Update a visualization profile and increment its version.',
  input: Input({
    item_id: Uuid,
    profile_id: Uuid,
    name: KeptByNull(Name),
    type: KeptByNull(ProfileType),
    is_default: KeptByNull(Type.Boolean()),
    sort_order: KeptByNull(SortOrder),
    config: KeptByNull(Config),
    asset_key: ClearedByNull(AssetKey),
  }),
  output: VisualizationProfile,
  problems: [...writing, 'name-taken'],
  answered: true,
})

export const visualizationProfileDelete = operation({
  id: 'visualization.profile.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete a visualization profile; if it was the default, the next one becomes the default.',
  input: one,
  output: DoneWithId,
  problems: writing,
  answered: true,
})

export const visualizationProfileSetDefault = operation({
  id: 'visualization.profile.set_default',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Set the default visualization profile of an item.',
  input: one,
  output: VisualizationProfile,
  problems: writing,
  answered: true,
})

export const visualizationProfileGet = operation({
  id: 'visualization.profile.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a visualization profile of an item.',
  input: one,
  output: Type.Object({ profile: VisualizationProfile }),
  problems: reading,
  answered: true,
})

export const visualizationProfilesList = operation({
  id: 'visualization.profiles.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the visualization profiles of an item in sort order.',
  input: Input({ item_id: Uuid }),
  output: List('profiles', VisualizationProfile),
  problems: reading,
  answered: true,
})
