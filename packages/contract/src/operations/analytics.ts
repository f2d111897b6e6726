import Type from 'typebox'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { AnalyticsMethod, AnalyticsSensor, RasterAnswer, SpectralIndex } from '../shapes/analytics.ts'
import { Default, Described, Input, Maybe, NoInput, Nullable, Open } from '../shapes/primitives.ts'
import { CogUrl } from '../shapes/rendering.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const name = Maybe(Name)
const IndexName = Described('An index (`analytics.indices.list`).', Name)
const SensorName = Described('A sensor (`analytics.sensors.list`).', Name)
const Formula = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Band arithmetic, such as `(nir-red)/(nir+red)`.',
})
const number = Maybe(Type.Number())
const readsPixels = ['not-found', 'forbidden', 'unsupported-raster', 'budget-exceeded', 'upstream'] as const

/** A bounding box as an object, as clients of these two operations send it. */
const Box = Input({
  west: Type.Number(),
  south: Type.Number(),
  east: Type.Number(),
  north: Type.Number(),
})

const window = {
  cog_url: CogUrl,
  bbox: Described('Bounding box in WGS 84 degrees.', Box),
  sensor: SensorName,
  max_size: Default(
    Type.Integer({ minimum: 1, maximum: 4096, description: 'Largest width or height in pixels.' }),
    2048,
  ),
  output_format: Default(Type.Enum(['json', 'png'], { description: '`png` adds an image to the statistics.' }), 'json'),
}

export const analyticsExecute = operation({
  id: 'analytics.execute',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Execute an analytics method; invalid parameters answer a problem with the expected schema.',
  input: Input({
    operation: Described('The name of a method (`analytics.operations.list`).', Name),
    params: Described('Parameters of the method (`analytics.operations.get`).', Open),
  }),
  output: Type.Object({ operation: Type.String(), result: Open }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'unsupported-raster', 'budget-exceeded'],
  emits: ['analytics.executed'],
})

export const analyticsBandMath = operation({
  id: 'analytics.band_math',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Evaluate a formula over a window of a GeoTIFF.',
  input: Input({
    ...window,
    formula: Formula,
    colormap: Default(Name, 'viridis'),
    vmin: Described('Value of the first colour.', number),
    vmax: Described('Value of the last colour.', number),
  }),
  output: RasterAnswer,
  problems: readsPixels,
  emits: ['analytics.executed'],
})

export const analyticsCalculateIndex = operation({
  id: 'analytics.calculate_index',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Evaluate a standard spectral index over a window of a GeoTIFF.',
  input: Input({ ...window, index_name: IndexName, colormap: name }),
  output: RasterAnswer,
  problems: readsPixels,
  emits: ['analytics.executed'],
})

export const analyticsOperationsList = operation({
  id: 'analytics.operations.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the methods of `analytics.execute`.',
  input: Input({ data_type: Described('Only methods for this data type, such as `raster`.', name) }),
  output: List('operations', AnalyticsMethod),
})

export const analyticsOperationsGet = operation({
  id: 'analytics.operations.get',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Read an analytics method with the schema of its parameters.',
  input: Input({ operation_name: Name }),
  output: Type.Object({ operation: AnalyticsMethod }),
  problems: ['not-found'],
})

export const analyticsIndicesList = operation({
  id: 'analytics.indices.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the standard spectral indices.',
  input: Input({ category: name, sensor: Described('Only indices whose bands the sensor has.', name) }),
  output: List('indices', SpectralIndex),
})

export const analyticsIndexGet = operation({
  id: 'analytics.index.get',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Read a standard spectral index.',
  input: Input({ index_name: IndexName }),
  output: Type.Object({ index: SpectralIndex }),
  problems: ['not-found'],
})

export const analyticsSensorsList = operation({
  id: 'analytics.sensors.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the supported sensors with their bands.',
  input: NoInput,
  output: List('sensors', AnalyticsSensor),
})

export const analyticsValidateFormula = operation({
  id: 'analytics.validate_formula',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Check the syntax of a formula and whether the sensor has its bands.',
  input: Input({ formula: Formula, sensor: SensorName }),
  output: Type.Object({
    formula: Type.String(),
    sensor: Type.String(),
    valid: Type.Boolean(),
    error: Nullable(Type.String()),
    required_bands: Type.Array(Type.String()),
    available_bands: Type.Array(Type.String()),
  }),
})
