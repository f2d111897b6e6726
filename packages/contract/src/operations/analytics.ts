import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { AnalyticsMethod, AnalyticsSensor, RasterAnalysisResult, SpectralIndex } from '../schemas/analytics.ts'
import {
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  EmptyInput,
  Nullable,
  AnyObject,
} from '../schemas/primitives.ts'
import { CogUrl, pixelReadProblems } from '../schemas/rendering.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const optionalName = OptionalNullable(Name)
const IndexName = WithDescription('An index (`analytics.indices.list`).', Name)
const SensorName = WithDescription('A sensor (`analytics.sensors.list`).', Name)
const Formula = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Band arithmetic, such as `(nir-red)/(nir+red)`.',
})
const optionalNumber = OptionalNullable(Type.Number())

/** A bounding box as an object, as clients of these two operations send it. */
const BoxObject = StrictObject({
  west: Type.Number(),
  south: Type.Number(),
  east: Type.Number(),
  north: Type.Number(),
})

const windowFields = {
  cog_url: CogUrl,
  bbox: WithDescription('Bounding box in WGS 84 degrees.', BoxObject),
  sensor: SensorName,
  max_size: WithDefault(
    Type.Integer({ minimum: 1, maximum: 4096, description: 'Largest width or height of the image in pixels.' }),
    2048,
  ),
  output_format: WithDefault(
    Type.Enum(['json', 'png', 'cog'], {
      description: '`png` adds an image to the statistics, `cog` the URL of a cloud-optimized GeoTIFF.',
    }),
    'json',
  ),
}

export const analyticsExecuteOperation = operation({
  id: 'analytics.execute',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Execute an analytics method; invalid parameters answer a problem with the expected schema.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: StrictObject({
    operation: WithDescription('The name of a method (`analytics.operations.list`).', Name),
    params: WithDescription('Parameters of the method (`analytics.operations.get`).', AnyObject),
  }),
  output: Type.Object({ operation: Type.String(), result: AnyObject }),
  problems: [...pixelReadProblems, 'quota-storage'],
  emits: ['analytics.executed'],
})

export const analyticsBandMathOperation = operation({
  id: 'analytics.band_math',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Evaluate a formula over a window of a GeoTIFF.',
  input: StrictObject({
    ...windowFields,
    formula: Formula,
    colormap: WithDefault(Name, 'viridis'),
    vmin: WithDescription('Value of the first colour.', optionalNumber),
    vmax: WithDescription('Value of the last colour.', optionalNumber),
  }),
  output: RasterAnalysisResult,
  problems: [...pixelReadProblems, 'quota-storage'],
  emits: ['analytics.executed'],
})

export const analyticsCalculateIndexOperation = operation({
  id: 'analytics.calculate_index',
  scope: 'analytics:process',
  effect: 'compute',
  summary: 'Evaluate a standard spectral index over a window of a GeoTIFF.',
  input: StrictObject({ ...windowFields, index_name: IndexName, colormap: optionalName }),
  output: RasterAnalysisResult,
  problems: [...pixelReadProblems, 'quota-storage'],
  emits: ['analytics.executed'],
})

export const analyticsOperationsListOperation = operation({
  id: 'analytics.operations.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the methods of `analytics.execute`.',
  input: StrictObject({
    data_type: WithDescription('Only methods for this data type, such as `raster`.', optionalName),
  }),
  output: ListEnvelope('operations', AnalyticsMethod),
})

export const analyticsOperationsGetOperation = operation({
  id: 'analytics.operations.get',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Read an analytics method with the schema of its parameters.',
  input: StrictObject({ operation_name: Name }),
  output: Type.Object({ operation: AnalyticsMethod }),
  problems: ['not-found'],
})

export const analyticsIndicesListOperation = operation({
  id: 'analytics.indices.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the standard spectral indices.',
  input: StrictObject({
    category: optionalName,
    sensor: WithDescription('Only indices whose bands the sensor has.', optionalName),
  }),
  output: ListEnvelope('indices', SpectralIndex),
})

export const analyticsIndexGetOperation = operation({
  id: 'analytics.index.get',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Read a standard spectral index.',
  input: StrictObject({ index_name: IndexName }),
  output: Type.Object({ index: SpectralIndex }),
  problems: ['not-found'],
})

export const analyticsSensorsListOperation = operation({
  id: 'analytics.sensors.list',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'List the supported sensors with their bands.',
  input: EmptyInput,
  output: ListEnvelope('sensors', AnalyticsSensor),
})

export const analyticsValidateFormulaOperation = operation({
  id: 'analytics.validate_formula',
  scope: 'analytics:read',
  effect: 'read',
  summary: 'Check the syntax of a formula and whether the sensor has its bands.',
  input: StrictObject({ formula: Formula, sensor: SensorName }),
  output: Type.Object({
    formula: Type.String(),
    sensor: Type.String(),
    valid: Type.Boolean(),
    error: Nullable(Type.String()),
    required_bands: Type.Array(Type.String()),
    available_bands: Type.Array(Type.String()),
  }),
})
