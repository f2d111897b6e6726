import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging, tokenPaging } from '../paging.ts'
import { Bytes, Image, Lines } from '../shapes/answers.ts'
import {
  CatalogFeature,
  CatalogResult,
  FederatedResult,
  SceneInfo,
  SceneVisualization,
  Source,
  Vendor,
} from '../shapes/catalog.ts'
import { Area, Geometry } from '../shapes/geojson.ts'
import { Bbox, Count, Datetime, Default, Described, Input, Maybe, NoInput, Nullable } from '../shapes/primitives.ts'
import { AreaText, drawing, ImageFormat, QualityRange, tileAddress } from '../shapes/rendering.ts'

const Name = Type.String({ minLength: 1, maxLength: 500 })
const names = Maybe(Type.Array(Name, { maxItems: 1000 }))
const bound = Maybe(Type.Union([Type.Number(), Type.String({ maxLength: 100 })]))
const SceneId = Described('The id of the scene at its host.', Name)
const ProductName = Described('The id of a collection of the host.', Name)
const ProviderName = Described('A provider (`catalog.providers.list`).', Name)
const HostName = Described('The `id` of a source (`catalog.sources.list`).', Name)

/** Clients use both spellings. */
const comparison = Input({
  GT: bound,
  GTE: bound,
  LT: bound,
  LTE: bound,
  EQ: bound,
  gt: bound,
  gte: bound,
  lt: bound,
  lte: bound,
  eq: bound,
})

const filters = {
  collections: Described('Only these collections of the host, by id.', names),
  ids: Described('Only these scenes, by their id at the host.', names),
  datetime: Maybe(Datetime),
  bbox: Maybe(Bbox),
  intersects: Described('Only scenes that intersect this geometry; prices are for its area.', Maybe(Geometry)),
  query: Type.Optional(
    Type.Record(Type.String(), comparison, {
      description: 'Comparisons by property, such as `{"cloudCoverage": {"LTE": 20}}`.',
    }),
  ),
  full_catalog: Maybe(Type.Boolean({ description: 'Also search collections that can be viewed but not ordered.' })),
}

const everySource = {
  source_ids: Described('Only these sources.', names),
  data_types: Described('Only sources with these data types, such as `optical` or `elevation`.', names),
}

const searching = ['not-found', 'conflicting-parameters', 'upstream'] as const
const drawingScenes = ['not-found', 'unsupported-raster', 'budget-exceeded', 'upstream'] as const

export const catalogSourcesList = operation({
  id: 'catalog.sources.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the hosts that can be searched, with their collections.',
  input: Input({
    data_type: Described('Only sources with this data type, such as `optical`.', Maybe(Name)),
    scope: Described('Coverage of the source, such as `global` or `national`.', Maybe(Name)),
    country: Described('A country code that the source covers, such as `AU`; case-insensitive.', Maybe(Name)),
  }),
  output: Type.Object({ sources: Type.Array(Source) }),
  answered: true,
})

export const catalogSearch = operation({
  id: 'catalog.search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search the catalogue of one host; scenes for sale include their price.',
  input: Input({ host_name: HostName, ...filters, ...tokenPaging() }),
  output: CatalogResult,
  paging: 'token',
  problems: searching,
  answered: true,
})

export const catalogSearchStream = operation({
  id: 'catalog.search_stream',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search one host, or all, and stream the scenes as newline-delimited JSON.',
  input: Input({
    host_name: Maybe(HostName),
    ...filters,
    ...everySource,
    limit: Maybe(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum number of scenes; defaults to all.' }),
    ),
  }),
  output: Lines(CatalogFeature),
  answer: 'ndjson',
  problems: searching,
  answered: true,
})

export const catalogFederatedSearch = operation({
  id: 'catalog.federated_search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search all hosts at once; the response names hosts that failed.',
  input: Input({ ...filters, ...everySource, limit: tokenPaging().limit }),
  output: FederatedResult,
  paging: 'token',
  problems: ['conflicting-parameters', 'upstream'],
})

const imageOf = { host_name: HostName, image_id: SceneId }

export const catalogImageQuicklook = operation({
  id: 'catalog.image.quicklook',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Fetch the quicklook of a scene.',
  input: Input(imageOf),
  output: Bytes(['image/png', 'image/jpeg']),
  answer: 'bytes',
  problems: drawingScenes,
  answered: true,
})

export const catalogImageThumbnail = operation({
  id: 'catalog.image.thumbnail',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Fetch the thumbnail of a scene.',
  input: Input(imageOf),
  output: Bytes(['image/png', 'image/jpeg']),
  answer: 'bytes',
  problems: drawingScenes,
})

export const catalogGranulePoints = operation({
  id: 'catalog.granule_points',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read the points of a granule within a bounding box, subsampled if there are too many.',
  input: Input({
    collection: ProductName,
    href: Type.String({ minLength: 1, maxLength: 4000, description: 'URL of the granule.' }),
    bbox: Bbox,
    max_points: Default(
      Type.Integer({ minimum: 100, maximum: 250_000, description: 'Maximum number of points; more are subsampled.' }),
      60_000,
    ),
    clip_polygon: Described('Only points inside this polygon.', Maybe(Area)),
  }),
  output: Type.Object({
    points: Type.Array(Type.Array(Type.Number())),
    value_label: Type.String(),
    value_range: Type.Array(Type.Number()),
    count: Count,
    returned: Count,
    subsampled: Type.Boolean(),
  }),
  problems: ['not-found', 'budget-exceeded', 'upstream'],
})

export const catalogTileRender = operation({
  id: 'catalog.tile.render',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a preview tile of a catalogue scene.',
  input: Input({
    collection: ProductName,
    scene_id: SceneId,
    visualization: Described('The id of a rendering preset, such as one of `catalog.viz.landsat`.', Name),
    ...tileAddress,
    format: ImageFormat,
    provider: Maybe(ProviderName),
    quality: Default(Nullable(QualityRange), 95),
    aoi_clip: AreaText,
    aoi_clip_body: Described('The same as `aoi_clip`, as GeoJSON.', Maybe(Area)),
    expression: drawing.expression,
    colormap: drawing.colormap,
    rescale: drawing.rescale,
  }),
  output: Image,
  answer: 'bytes',
  problems: drawingScenes,
})

const info = (platform: string) => ({
  scope: 'tiles:read' as const,
  effect: 'read' as const,
  summary: `Describe the bands, bounds and zoom levels of a ${platform} scene.`,
  output: Type.Object({ info: SceneInfo }),
  problems: drawingScenes,
})

export const catalogInfoLandsat = operation({
  id: 'catalog.info.landsat',
  ...info('Landsat'),
  input: Input({ scene_id: SceneId }),
})

export const catalogInfoNaip = operation({
  id: 'catalog.info.naip',
  ...info('NAIP'),
  input: Input({ scene_id: SceneId }),
})

export const catalogInfoSentinel = operation({
  id: 'catalog.info.sentinel',
  ...info('Sentinel'),
  input: Input({ scene_id: SceneId }),
})

export const catalogInfoSample = operation({
  id: 'catalog.info.sample',
  ...info('sample'),
  input: Input({ provider: ProviderName, scene_id: SceneId }),
})

export const catalogProviderSamples = operation({
  id: 'catalog.provider.samples',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the sample scenes of a provider.',
  input: Input({ provider: ProviderName, ...offsetPaging(limits.short_offset_limit) }),
  output: List('samples', CatalogFeature),
  paging: 'offset',
  problems: ['not-found', 'upstream'],
})

export const catalogProvidersList = operation({
  id: 'catalog.providers.list',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the providers whose scenes can be rendered.',
  input: NoInput,
  output: List('providers', Vendor),
})

export const catalogVendorsList = operation({
  id: 'catalog.vendors.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the vendors whose imagery can be ordered.',
  input: NoInput,
  output: List('vendors', Vendor),
})

export const catalogVizLandsat = operation({
  id: 'catalog.viz.landsat',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the rendering presets for Landsat scenes.',
  input: NoInput,
  output: List('visualizations', SceneVisualization),
})

export const catalogVizNaip = operation({
  id: 'catalog.viz.naip',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the rendering presets for NAIP scenes.',
  input: NoInput,
  output: List('visualizations', SceneVisualization),
})
