import Type from 'typebox'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import type { StepBudget } from '@swath/geo/step-budget.ts'
import { Area } from '@swath/contract/schemas/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'

// Inputs that several processes have.

const ItemReference = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'An item: its id, or the URL of its STAC Feature.',
})

export const itemInput = { item: ItemReference }

export const itemsInput = {
  items: Type.Array(ItemReference, {
    minItems: 1,
    maxItems: 50,
    description: 'The items, in the order of precedence.',
  }),
}

export const titleInput = {
  title: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What the result is called in the library; without it, its name says the source and the process.',
    }),
  ),
}

export const assetKeyInput = {
  asset_key: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset; default: the raster with the data.' }),
  ),
}

export const connectednessInputSchema = {
  connectedness: Type.Optional(
    Type.Union([Type.Literal(4), Type.Literal(8)], {
      default: 4,
      description: 'Pixels touch at their sides (4), or also at their corners (8); default 4.',
    }),
  ),
}

export const createResamplingInputSchema = (defaultValue: 'nearest' | 'bilinear') => ({
  resampling: Type.Optional(
    Type.Enum(['nearest', 'bilinear', 'cubic', 'average'], {
      default: defaultValue,
      description: `How pixels between those of the image are computed; default ${defaultValue}.`,
    }),
  ),
})

export const ProcessAreaInput = Type.With(Area, { description: 'A polygon in degrees (GeoJSON).' }) as typeof Area

export const ProcessScaledInput = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Compute with value × scale + offset of the bands, not with the stored samples; default true.',
  }),
)

/**
 * An area whose rings are closed and whose edges do not cross; throws `validation`. Other members of the GeoJSON are left out,
 * because plans are stored. The areas of a list share a budget.
 */
export function requireProcessArea(area: unknown, path: string, budget?: StepBudget): AreaGeometry {
  const { geometry, error } = validateAreaGeometry(area, {}, budget)
  if (geometry) return { type: geometry.type, coordinates: geometry.coordinates } as AreaGeometry
  throw validationProblem([{ path: error.path ? `${path}.${error.path}` : path, message: error.reason }])
}
