import {
  geoArea,
  geoBounds,
  geoCentroid,
  geoDistance,
  geoGraticule,
  geoMercator,
  geoPath,
  type GeoPath,
  type GeoProjection,
} from 'd3-geo'
import type { Feature, FeatureCollection, Position } from 'geojson'
import { readBaseMap, type BaseMap } from './base-map.ts'
import type { MapFeature, ReportMap } from './report-document.ts'
import { colours, page, styles, type Box, type ReportPages } from './report-page.ts'

const map_height = 250
const inset = { width: 120, height: 84 } as const
/** A map of a small area shows at least this much around it, in degrees. */
const min_degrees = 0.02
/** Half the width of the overview, in degrees. */
const overview_degrees = 18
const earth_radius_km = 6371.0088
const max_labels = 12

/** Draws the map of the features with its graticule, a scale bar, and an overview of where it lies. */
export async function drawMap(pages: ReportPages, map: ReportMap): Promise<void> {
  const features = map.features.map(toWoundFeature)
  if (features.length === 0) return
  pages.reserve(map_height + 40)
  pages.text.write(map.title, { x: page.left, y: pages.y }, styles.heading)
  pages.y += 20
  const box = { x: page.left, y: pages.y, width: page.right - page.left, height: map_height }
  const projection = projectOnto(box, features)
  const path = createPath(pages.pdf, projection)
  drawBaseMap(pages, path, box, await readBaseMap('50m'))
  drawGraticule(pages, projection, box)
  drawFeatures(pages, path, features, map)
  drawLabels(pages, projection, box, map)
  pages.pdf.restore()
  drawFrame(pages, box)
  drawScaleBar(pages, projection, box)
  await drawOverview(pages, box, projection)
  pages.y += map_height + 6
  const note = map.omitted > 0 ? ` ${map.omitted} more are not drawn.` : ''
  pages.text.write(
    `Land and borders: Natural Earth, 1:50 million; Mercator projection.${note}`,
    { x: page.left, y: pages.y },
    styles.label,
  )
  pages.y += 20
}

/**
 * The feature with rings in the direction that the library expects: its polygons are on a sphere, so that a ring in the other
 * direction is the whole Earth but the area.
 */
function toWoundFeature({ geometry }: MapFeature): Feature {
  const asFeature = (shape: Feature['geometry']): Feature => ({ type: 'Feature', properties: {}, geometry: shape })
  const rewind = (rings: Position[][]): Position[][] =>
    geoArea({ type: 'Polygon', coordinates: rings.slice(0, 1) }) > 2 * Math.PI
      ? rings.map((ring) => ring.toReversed())
      : rings
  if (geometry.type === 'Polygon') return asFeature({ ...geometry, coordinates: rewind(geometry.coordinates) })
  if (geometry.type === 'MultiPolygon') return asFeature({ ...geometry, coordinates: geometry.coordinates.map(rewind) })
  return asFeature(geometry)
}

/** A projection that shows all features with a margin, centred on them so that the antimeridian is no edge. */
function projectOnto(box: Box, features: readonly Feature[]): GeoProjection {
  const all: FeatureCollection = { type: 'FeatureCollection', features: [...features] }
  const [[west, south], [east, north]] = geoBounds(all)
  const width = west <= east ? east - west : east - west + 360
  const longitude = west + width / 2
  const margin_x = Math.max(width * 0.2, min_degrees)
  const margin_y = Math.max((north - south) * 0.2, min_degrees)
  const corners: Feature = {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'MultiPoint',
      coordinates: [
        [longitude - Math.min(width / 2 + margin_x, 179), Math.max(south - margin_y, -84)],
        [longitude + Math.min(width / 2 + margin_x, 179), Math.min(north + margin_y, 84)],
      ],
    },
  }
  const { x, y, height } = box
  const extent: [[number, number], [number, number]] = [
    [x, y],
    [x + box.width, y + height],
  ]
  return geoMercator().rotate([-longitude, 0]).precision(0.3).fitExtent(extent, corners).clipExtent(extent)
}

/** Paths of the projection that are drawn into the PDF. */
function createPath(pdf: PDFKit.PDFDocument, projection: GeoProjection): GeoPath {
  return geoPath(projection, {
    beginPath: () => undefined,
    moveTo: (x, y) => void pdf.moveTo(x, y),
    lineTo: (x, y) => void pdf.lineTo(x, y),
    arc: (x, y, radius) => void pdf.circle(x, y, radius),
    closePath: () => void pdf.closePath(),
  }).pointRadius(2.5)
}

/** Begins to draw inside of a box; `restore` of the document ends it. */
function drawBaseMap({ pdf }: ReportPages, path: GeoPath, box: Box, { land, borders }: BaseMap): void {
  pdf.save()
  pdf.rect(box.x, box.y, box.width, box.height).clip()
  pdf.rect(box.x, box.y, box.width, box.height).fill(colours.water)
  path(land)
  pdf.fillAndStroke(colours.land, colours.coast)
  pdf.lineWidth(0.5)
  path(borders)
  pdf.dash(2, { space: 2 }).stroke(colours.coast).undash()
}

/** Steps of meridians and parallels, in degrees. */
const graticule_steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
const lines_across = 3

function drawGraticule({ pdf, text }: ReportPages, projection: GeoProjection, box: Box): void {
  const [left, top] = projection.invert!([box.x, box.y])!
  const [right, bottom] = projection.invert!([box.x + box.width, box.y + box.height])!
  const width = right >= left ? right - left : right - left + 360
  const step = graticule_steps.find((degrees) => width / degrees >= lines_across) ?? 0.01
  const path = createPath(pdf, projection)
  const graticule = geoGraticule()
    .step([step, step])
    .extent([
      [Math.floor((left - step) / step) * step, Math.max(Math.floor(bottom / step - 1) * step, -85)],
      [Math.floor((left + width) / step + 1) * step, Math.min(Math.ceil(top / step + 1) * step, 85)],
    ])
  path(graticule())
  pdf.lineWidth(0.4).strokeOpacity(0.5).stroke(colours.coast).strokeOpacity(1)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  for (let at = Math.ceil(left / step) * step; at < left + width; at += step) {
    const [x] = projection([at, (top + bottom) / 2])!
    const label = formatDegrees(((at + 540) % 360) - 180, ['E', 'W'], digits)
    if (x < box.x + box.width - 30) text.write(label, { x: x + 2, y: box.y + box.height - 11 }, styles.label)
  }
  for (let at = Math.ceil(bottom / step) * step; at < top; at += step) {
    const [, y] = projection([left + width / 2, at])!
    if (y < box.y + box.height - 14)
      text.write(formatDegrees(at, ['N', 'S'], digits), { x: box.x + 3, y: y - 9 }, styles.label)
  }
}

const formatDegrees = (degrees: number, [positive, negative]: readonly [string, string], digits: number): string =>
  `${Math.abs(degrees).toFixed(digits)}°${Number(degrees.toFixed(digits)) === 0 ? '' : degrees > 0 ? positive : negative}`

function drawFeatures({ pdf }: ReportPages, path: GeoPath, features: readonly Feature[], map: ReportMap): void {
  for (const [at, feature] of features.entries()) {
    const isArea = map.features[at]!.role === 'area'
    const colour = isArea ? colours.second : colours.accent
    path(feature)
    pdf.lineWidth(isArea ? 1.6 : 0.8).fillOpacity(isArea ? 0.12 : 0.16)
    pdf.fillAndStroke(colour, colour).fillOpacity(1)
  }
}

function drawLabels({ text }: ReportPages, projection: GeoProjection, box: Box, { features }: ReportMap): void {
  const seen = new Set<string>()
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = []
  for (const feature of features.toReversed()) {
    const { label } = feature
    if (label === null || seen.has(label) || seen.size >= max_labels) continue
    const at = projection(geoCentroid(toWoundFeature(feature)))
    if (!at) continue
    const width = text.widthOf(label, labelStyle)
    const x = Math.min(Math.max(at[0] - width / 2, box.x + 2), box.x + box.width - width - 2)
    const y = at[1] - 5
    if (taken.some((other) => Math.abs(other.y - y) < 11 && x < other.x + other.width && other.x < x + width)) continue
    text.write(label, { x, y }, labelStyle)
    taken.push({ x, y, width })
    seen.add(label)
  }
}

const labelStyle = { size: 9, weight: 700, colour: colours.text } as const

function drawFrame({ pdf }: ReportPages, { x, y, width, height }: Box): void {
  pdf.lineWidth(0.8).rect(x, y, width, height).stroke(colours.coast)
}

const bar_lengths_km = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]
const max_bar_width = 110

/** The scale holds in the middle of the map. */
function drawScaleBar({ pdf, text }: ReportPages, projection: GeoProjection, box: Box): void {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const km = geoDistance(projection.invert!([x, y])!, projection.invert!([x + 10, y])!) * earth_radius_km
  const points_per_km = 10 / km
  const length_km = bar_lengths_km.find((length) => length * points_per_km <= max_bar_width) ?? 0.1
  const width = length_km * points_per_km
  const [right, base] = [box.x + box.width - 8, box.y + box.height - 16]
  const label = length_km < 1 ? `${length_km * 1000} m` : `${length_km} km`
  pdf
    .rect(right - width - 6, base - 14, width + 12, 24)
    .fillOpacity(0.8)
    .fill('#ffffff')
    .fillOpacity(1)
  pdf
    .moveTo(right - width, base - 1)
    .lineTo(right - width, base + 3)
    .lineTo(right, base + 3)
    .lineTo(right, base - 1)
  pdf.lineWidth(1).stroke(colours.text)
  text.write(label, { x: right - width, y: base - 11 }, styles.label, { width, align: 'right' })
}

/** A small map in the upper right corner with the frame of the large one. */
async function drawOverview(pages: ReportPages, box: Box, projection: GeoProjection): Promise<void> {
  const { pdf } = pages
  const small = { x: box.x + box.width - inset.width, y: box.y, ...inset }
  const centre = projection.invert!([box.x + box.width / 2, box.y + box.height / 2])!
  const corner = projection.invert!([box.x, box.y])!
  const spans_degrees = 2 * Math.abs((((centre[0] - corner[0]) % 360) + 360) % 360)
  if (spans_degrees > overview_degrees) return
  const extent: [[number, number], [number, number]] = [
    [small.x, small.y],
    [small.x + small.width, small.y + small.height],
  ]
  const overview = geoMercator().rotate([-centre[0], 0]).clipExtent(extent)
  const latitude = Math.min(Math.max(centre[1], -70), 70)
  overview.scale((inset.width / 2 / overview_degrees) * (180 / Math.PI)).translate([0, 0])
  const [x, y] = overview([centre[0], latitude])!
  overview.translate([small.x + inset.width / 2 - x, small.y + inset.height / 2 - y])
  drawBaseMap(pages, createPath(pdf, overview), small, await readBaseMap('110m'))
  const [left, top] = overview(corner)!
  const [cx, cy] = overview(centre)!
  const [half_width, half_height] = [Math.max(cx - left, 2), Math.max(cy - top, 2)]
  pdf
    .lineWidth(1)
    .rect(cx - half_width, cy - half_height, 2 * half_width, 2 * half_height)
    .stroke(colours.second)
  pdf.restore()
  drawFrame(pages, small)
}
