import { geometryBounds } from '@swath/geo/bbox.ts'
import { solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { computeAreaCenter } from '@swath/geo/orbit/area-points.ts'
import { findOrbitDirection } from '@swath/geo/orbit/satellite.ts'
import type { HostBand, HostFile, HostScene } from '../../imagery-host.ts'
import { requireConstellationSensor } from './sensors.ts'
import type { ConstellationSatellites } from './constellation-satellites.ts'
import { computeSatelliteKey } from './opportunities.ts'
import { matchSensorBands, findNearestSourceScene, type SimulationSourceScene } from './source-scenes.ts'
import type { CollectRow, ConstellationTaskRow } from './store.ts'

/** The image that is written for a collect: a part of a real scene at the place of the task. */
export interface SimulatedImage {
  readonly source_path: string
  readonly source_pixel_size: number
  /** 0-based bands of the source, and their names in the output. */
  readonly bands: readonly number[]
  readonly names: readonly string[]
  readonly area: AreaGeometry
  readonly epsg: number
  readonly pixel_size: number
  readonly metadata: Readonly<Record<string, string>>
}

/** Writes a cloud-optimized GeoTIFF to a path; by the raster threads. */
export type WriteSimulatedImage = (image: SimulatedImage, path: string, signal: AbortSignal) => Promise<void>

/** Longer sides would only enlarge the pixels of the source. */
const max_side_pixels = 1024

export interface SimulatedSceneDependencies {
  readonly sky: ConstellationSatellites
  readonly sources: readonly SimulationSourceScene[]
  readonly write: WriteSimulatedImage
}

/** The STAC item of an accepted collect; it says that it is simulated and from which scene it was made. */
export function describeSimulatedScene(
  { sky, sources }: SimulatedSceneDependencies,
  task: ConstellationTaskRow,
  collect: CollectRow,
): HostScene {
  const { opportunity, satellite, acquired_at } = collect
  const sensor = requireConstellationSensor(opportunity.sensor)
  const source = sourceOf(sources, collect)
  const datetime = acquired_at.toISOString()
  const footprint = opportunity.footprint
  return {
    id: sceneId(task, collect),
    collection: task.product,
    geometry: footprint,
    bbox: geometryBounds(footprint),
    datetime,
    properties: {
      title: `${satellite}, ${datetime.slice(0, 10)}`,
      description: `A simulated acquisition, made from the scene ${source.reference}.`,
      datetime,
      platform: computeSatelliteKey(satellite),
      instruments: [sensor.id],
      constellation: sensor.id,
      gsd: sensor.gsd_m,
      'eo:cloud_cover': collect.cloud_pct,
      'eo:bands': sensor.bands,
      'view:off_nadir': opportunity.off_nadir_deg,
      'view:azimuth': opportunity.view_azimuth_deg,
      ...(opportunity.incidence_deg === undefined ? {} : { 'view:incidence_angle': opportunity.incidence_deg }),
      'view:sun_elevation': opportunity.sun_elevation_deg,
      'view:sun_azimuth': opportunity.sun_azimuth_deg,
      'sat:orbit_state': findOrbitDirection(sky.get(satellite)!, acquired_at.getTime()),
      'service:simulated': true,
      'service:derived_from': source.reference,
      'service:pixel_size': pixelSizeOf(footprint, sensor.gsd_m),
    },
  }
}

const sceneId = ({ world_id, id }: ConstellationTaskRow, { satellite, acquired_at }: CollectRow): string =>
  [
    computeSatelliteKey(satellite),
    acquired_at.toISOString().slice(0, 19).replaceAll(/[-:]/g, ''),
    encodeURIComponent(`${world_id}.${id}`),
  ].join('_')

const sourceOf = (
  sources: readonly SimulationSourceScene[],
  { opportunity, cloud_pct }: CollectRow,
): SimulationSourceScene => findNearestSourceScene(sources, computeAreaCenter(opportunity.footprint), cloud_pct)

/** The file of an accepted collect; its bytes are made when it is downloaded, and are the same each time. */
export function createCollectFile(
  { sources, write }: SimulatedSceneDependencies,
  task: ConstellationTaskRow,
  collect: CollectRow,
): HostFile {
  const { opportunity } = collect
  const sensor = requireConstellationSensor(opportunity.sensor)
  const source = sourceOf(sources, collect)
  const indexes = matchSensorBands(source, sensor.bands)
  const id = sceneId(task, collect)
  const image: SimulatedImage = {
    source_path: source.path,
    source_pixel_size: source.gsd,
    bands: indexes,
    names: sensor.bands.map(({ name }) => name),
    area: opportunity.footprint,
    epsg: utmZoneOf(opportunity.footprint),
    pixel_size: pixelSizeOf(opportunity.footprint, sensor.gsd_m),
    metadata: { SIMULATED: 'YES', DERIVED_FROM: source.reference },
  }
  return {
    scene: id,
    asset: 'data',
    file_name: `${id}.tif`,
    size: null,
    sha256: null,
    bands: sensor.bands.map((band, at) => withScale(band, source.bands[indexes[at]!]!)),
    download: (path, signal) => write(image, path, signal),
  }
}

const withScale = (band: HostBand, { scale, offset }: HostBand): HostBand => ({
  ...band,
  ...(scale === undefined ? {} : { scale }),
  ...(offset === undefined ? {} : { offset }),
})

/** The ground sample distance, or more if the area would have too many pixels. */
function pixelSizeOf(area: AreaGeometry, gsd_m: number): number {
  const [west, south, east, north] = geometryBounds(area)
  const middle = (south + north) / 2
  const width_m = solveInverseGeodesic(west, middle, east < west ? east + 360 : east, middle)?.metres ?? Infinity
  const height_m = solveInverseGeodesic(west, south, west, north)?.metres ?? Infinity
  const size_m = Math.max(gsd_m, Math.max(width_m, height_m) / max_side_pixels)
  return Number(size_m.toPrecision(4))
}

/** The UTM zone of the centre, WGS 84; near the poles the polar stereographic systems that continue UTM. */
function utmZoneOf(area: AreaGeometry): number {
  const { longitude, latitude } = computeAreaCenter(area)
  if (latitude > 84) return 32_661
  if (latitude < -80) return 32_761
  const zone = Math.min(60, Math.floor((longitude + 180) / 6) + 1)
  return (latitude >= 0 ? 32_600 : 32_700) + zone
}
