import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, nextTokenPaging, offsetPaging } from '../paging.ts'
import { catalogSearchProblems, sceneRenderProblems } from '../problems.ts'
import {
  CatalogName,
  optionalCatalogNamesField,
  CatalogSource,
  catalogFilterFields,
  CatalogFeature,
  CatalogSourceId,
  FederatedSearchResult,
  PlaceResult,
  PriceComparison,
  CatalogSceneId,
  SceneAreaScore,
  CatalogProviderName,
  Vendor,
  SceneVisualization,
} from '../schemas/catalog.ts'
import { Area } from '../schemas/geojson.ts'
import {
  WithDescription,
  StrictObject,
  OptionalNullable,
  WithDefault,
  Bbox,
  Count,
  Nullable,
  EmptyInput,
} from '../schemas/primitives.ts'
import {
  pixelReadProblems,
  OptionalAreaText,
  renderParameterFields,
  ImageFormat,
  ImageQualityRange,
  tileCoordinateFields,
} from '../schemas/rendering.ts'
import { NdjsonLines, BytesBody, ImageBytesBody } from '../schemas/response-bodies.ts'

const ProductName = WithDescription('The id of a collection of the host.', CatalogName)

const sourceFilters = {
  source_ids: WithDescription('Only these sources.', optionalCatalogNamesField),
  data_types: WithDescription(
    'Only sources with these data types, such as `optical` or `elevation`.',
    optionalCatalogNamesField,
  ),
}

export const catalogSourcesListOperation = operation({
  id: 'catalog.sources.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the hosts that can be searched, with their collections.',
  input: StrictObject({
    data_type: WithDescription('Only sources with this data type, such as `optical`.', OptionalNullable(CatalogName)),
    scope: WithDescription('Coverage of the source, such as `global` or `national`.', OptionalNullable(CatalogName)),
    country: WithDescription(
      'A country code that the source covers, such as `AU`; case-insensitive.',
      OptionalNullable(CatalogName),
    ),
  }),
  output: Type.Object({ sources: Type.Array(CatalogSource) }),
})

export const catalogSearchStreamOperation = operation({
  id: 'catalog.search_stream',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search one host, or all, and stream the scenes as newline-delimited JSON.',
  input: StrictObject({
    host_name: OptionalNullable(CatalogSourceId),
    ...catalogFilterFields,
    ...sourceFilters,
    limit: OptionalNullable(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum number of scenes; defaults to all.' }),
    ),
  }),
  output: NdjsonLines(CatalogFeature),
  response_kind: 'ndjson',
  problems: catalogSearchProblems,
})

export const catalogFederatedSearchOperation = operation({
  id: 'catalog.federated_search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search all hosts at once; the response names hosts that failed.',
  input: StrictObject({ ...catalogFilterFields, ...sourceFilters, ...nextTokenPaging() }),
  output: FederatedSearchResult,
  paging: 'token',
  problems: catalogSearchProblems,
})

export const catalogPlacesSearchOperation = operation({
  id: 'catalog.places.search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Find countries, regions and settlements by name, or read a position; nothing is asked of another server.',
  input: StrictObject({
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A name or its beginning, in any language and without regard to case and accents, such as `Köln`, `Cologne` or `東京`; after a comma, the country. Or a position: decimal degrees, degrees with minutes and seconds, MGRS, a full plus code.',
    }),
    limit: WithDefault(Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum number of places.' }), 10),
  }),
  output: Type.Object({
    places: Type.Array(PlaceResult, {
      description:
        'Positions first. Then places of exactly this name, those whose name begins with the text, and those whose name differs by one letter; each from the largest to the smallest.',
    }),
    attribution: Type.String({ description: 'To be shown with the places.' }),
  }),
  extension: true,
})

export const catalogComparePricesOperation = operation({
  id: 'catalog.compare_prices',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Compare what an area costs in the collections of all hosts, the cheapest first.',
  input: StrictObject({
    intersects: WithDescription('The area to buy.', Area),
    collections: catalogFilterFields.collections,
    datetime: catalogFilterFields.datetime,
    query: catalogFilterFields.query,
    ...sourceFilters,
  }),
  output: PriceComparison,
  problems: catalogSearchProblems,
  extension: true,
})

const sceneFields = { host_name: CatalogSourceId, image_id: CatalogSceneId }

const imageFormat = OptionalNullable(
  Type.Enum(['png', 'jpeg'], { description: 'Default: the format that the host has.' }),
)

export const catalogImageQuicklookOperation = operation({
  id: 'catalog.image.quicklook',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Fetch the quicklook of a scene.',
  input: StrictObject({ ...sceneFields, format: imageFormat }),
  output: BytesBody(['image/png', 'image/jpeg']),
  response_kind: 'bytes',
  problems: sceneRenderProblems,
})

export const catalogImageThumbnailOperation = operation({
  id: 'catalog.image.thumbnail',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Fetch the thumbnail of a scene.',
  input: StrictObject({ ...sceneFields, format: imageFormat }),
  output: BytesBody(['image/png', 'image/jpeg']),
  response_kind: 'bytes',
  problems: sceneRenderProblems,
})

export const catalogAoiScoreOperation = operation({
  id: 'catalog.aoi_score',
  scope: 'catalog:read',
  effect: 'compute',
  summary: 'Measure cloud and coverage within an area in scenes of a host.',
  body_limit_bytes: null,
  input: StrictObject({
    host_name: CatalogSourceId,
    image_ids: Type.Array(CatalogName, {
      minItems: 1,
      maxItems: 50,
      description: 'The ids of the scenes at their host.',
    }),
    geometry: WithDescription('The area of interest.', Area),
  }),
  output: Type.Object({ scores: Type.Array(SceneAreaScore) }),
  problems: ['not-found', 'upstream'],
  extension: true,
})

export const catalogGranulePointsOperation = operation({
  id: 'catalog.granule_points',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read the points of a granule within a bounding box, subsampled if there are too many.',
  input: StrictObject({
    collection: ProductName,
    href: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'URL of the granule: a GeoTIFF, or points as GeoJSON or CSV (`.geojson`, `.json`, `.csv`).',
    }),
    bbox: Bbox,
    max_points: WithDefault(
      Type.Integer({ minimum: 100, maximum: 250_000, description: 'Maximum number of points; more are subsampled.' }),
      60_000,
    ),
    clip_polygon: WithDescription('Only points inside this polygon.', OptionalNullable(Area)),
  }),
  output: Type.Object({
    points: Type.Array(Type.Array(Type.Number()), { description: 'Longitude, latitude and value of each point.' }),
    value_label: Type.String({ description: 'The name of the band or column that the values are of.' }),
    value_range: Type.Array(Type.Number(), { description: 'Smallest and largest value; empty without points.' }),
    count: WithDescription(
      'Points before subsampling; of a raster that is read at a coarser level, the pixels that its points stand for.',
      Count,
    ),
    returned: Count,
    subsampled: Type.Boolean(),
  }),
  problems: pixelReadProblems,
})

export const catalogTileRenderOperation = operation({
  id: 'catalog.tile.render',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a preview tile of a catalogue scene.',
  input: StrictObject({
    collection: ProductName,
    scene_id: CatalogSceneId,
    visualization: WithDescription('The id of a rendering preset, such as one of `catalog.viz.landsat`.', CatalogName),
    ...tileCoordinateFields,
    format: ImageFormat,
    provider: OptionalNullable(CatalogProviderName),
    quality: WithDefault(Nullable(ImageQualityRange), 95),
    aoi_clip: OptionalAreaText,
    aoi_clip_body: WithDescription('The same as `aoi_clip`, as GeoJSON.', OptionalNullable(Area)),
    expression: renderParameterFields.expression,
    colormap: renderParameterFields.colormap,
    rescale: renderParameterFields.rescale,
    gamma: renderParameterFields.gamma,
    stretch: renderParameterFields.stretch,
    color_formula: renderParameterFields.color_formula,
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: sceneRenderProblems,
})

export const catalogProviderSamplesOperation = operation({
  id: 'catalog.provider.samples',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the sample scenes of a provider.',
  input: StrictObject({ provider: CatalogProviderName, ...offsetPaging(limits.short_offset_limit) }),
  output: ListEnvelope('samples', CatalogFeature),
  paging: 'offset',
  problems: ['not-found', 'upstream'],
})

export const catalogProvidersListOperation = operation({
  id: 'catalog.providers.list',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the providers whose scenes can be rendered.',
  input: EmptyInput,
  output: ListEnvelope('providers', Vendor),
})

export const catalogVendorsListOperation = operation({
  id: 'catalog.vendors.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the vendors whose imagery can be ordered.',
  input: EmptyInput,
  output: ListEnvelope('vendors', Vendor),
})

export const catalogVizLandsatOperation = operation({
  id: 'catalog.viz.landsat',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the rendering presets for Landsat scenes.',
  input: EmptyInput,
  output: ListEnvelope('visualizations', SceneVisualization),
})

export const catalogVizNaipOperation = operation({
  id: 'catalog.viz.naip',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the rendering presets for NAIP scenes.',
  input: EmptyInput,
  output: ListEnvelope('visualizations', SceneVisualization),
})
