import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { itemReadProblems } from '../problems.ts'
import { WithDefault, WithDescription, StrictObject, OptionalNullable, AnyObject, Uuid } from '../schemas/primitives.ts'
import { Visualization, VisualizationProfile } from '../schemas/profile.ts'

export const visualizationListForOperation = operation({
  id: 'visualization.list_for',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the visualizations that are possible with bands of given roles.',
  input: StrictObject({
    band_roles: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'Role to band number, such as `{"red": 4, "nir": 5}`.',
      }),
    ),
    data_type: WithDefault(Type.String({ maxLength: 100, description: '`raster` or `dem`.' }), 'raster'),
    render_params: WithDescription('Rendering parameters to add to each visualization.', Type.Optional(AnyObject)),
    asset: OptionalNullable(
      Type.String({ maxLength: 200, description: 'The asset key to set in each visualization.' }),
    ),
  }),
  output: Type.Object({ visualizations: Type.Array(Visualization), default_id: Type.String() }),
})

export const visualizationProfilesListOperation = operation({
  id: 'visualization.profiles.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the visualization profiles of an item in sort order.',
  input: StrictObject({ item_id: Uuid }),
  output: ListEnvelope('profiles', VisualizationProfile),
  problems: itemReadProblems,
})
