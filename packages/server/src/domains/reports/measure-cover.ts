import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Geometry } from 'geojson'
import { vectorServiceKey, type OrganizationVectorJobRunner } from '../vectors/vector-worker/vector-worker.ts'
import type { ReportViewer } from './report.ts'
import type { ReportGeometry } from './store.places.ts'

/** Items measured in one job, so that jobs of other organizations run in between. */
const max_items_per_job = 250

/** The footprints that cover most, which are measured together if all take too long. */
const max_joined_footprints = 100

/** The polygons among a geometry and its members. */
const listAreas = (geometry: Geometry): AreaGeometry[] => {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(listAreas)
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? [geometry as unknown as AreaGeometry] : []
}

const getVectors = ({ organization, processServices, background }: ReportViewer): OrganizationVectorJobRunner =>
  processServices.get(vectorServiceKey).forOwner({ organization, background })

/** The fraction of the area that each footprint covers, in a worker thread; null for one that takes too long to measure. */
export async function measureEachCover(
  viewer: ReportViewer,
  area: AreaGeometry,
  footprints: readonly Geometry[],
): Promise<(number | null)[]> {
  const fractions: (number | null)[] = []
  for (let at = 0; at < footprints.length; at += max_items_per_job) {
    const lists = footprints.slice(at, at + max_items_per_job).map(listAreas)
    fractions.push(...(await getVectors(viewer).measureCovers({ area, lists }, viewer.signal)))
  }
  return fractions
}

/** The fraction of an area that is covered at least once, or a lower bound of it. */
export interface JoinedCover {
  readonly fraction: number
  readonly isLowerBound: boolean
}

/** Measures what the places of a report cover together, without those that take too long to measure. */
export async function measureJoinedCover(
  viewer: ReportViewer,
  area: AreaGeometry,
  places: readonly ReportGeometry[],
): Promise<JoinedCover> {
  const percentOf = ({ properties }: ReportGeometry): number => Number(properties['covered_percent'])
  const measurable = places
    .filter(({ properties }) => properties['covered_percent'] !== null)
    .toSorted((a, b) => percentOf(b) - percentOf(a))
  // Scenes of one tile have one footprint.
  const footprints = [...new Map(measurable.map(({ geometry }) => [JSON.stringify(geometry), geometry])).values()]
  const lists = [footprints, footprints.slice(0, max_joined_footprints)].map((list) => list.flatMap(listAreas))
  const [all = null, first = null] = await getVectors(viewer).measureCovers({ area, lists }, viewer.signal)
  const fraction = all ?? first ?? (measurable[0] ? percentOf(measurable[0]) / 100 : 0)
  return { fraction, isLowerBound: fraction < 1 && (all === null || measurable.length < places.length) }
}
