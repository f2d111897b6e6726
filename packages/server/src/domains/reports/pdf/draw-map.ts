import { geoDistance, geoGraticule, geoMercator, geoPath } from 'd3-geo'
import type { Feature } from 'geojson'
import { readReportBaseMap } from './base-map.ts'
import { createPdfMapPath, drawReportBaseMap, drawReportMapFrame, mapFeatureColours } from './map-path.ts'
import { type ReportMapView, toProjectionExtent, fitReportMapView, rewindFeatureRings } from './map-view.ts'
import type { ReportMap } from './report-document.ts'
import { type PageBox, type ReportPages, reportColours, reportPageSize, reportTextStyles } from './report-page.ts'

const overview_height = 84
/** Half the width of the overview, in degrees. */
const overview_degrees = 18
const earth_radius_km = 6371.0088

/** Beside a map: where it lies, what its colours mean, and its scale. Nothing of it covers the map. */
async function drawMapSide(pages: ReportPages, view: ReportMapView, map: ReportMap, side: PageBox): Promise<void> {
  const hasOverview = view.width_degrees <= overview_degrees
  if (hasOverview) await drawOverview(pages, { ...side, height: overview_height }, view)
  drawLegend(pages, map, { ...side, y: side.y + (hasOverview ? overview_height + 12 : 0) })
  drawScaleBar(pages, view, side)
}

function drawLegend({ pdf, text }: ReportPages, { features, legend }: ReportMap, { x, y, width }: PageBox): void {
  const roles = (['area', 'footprint'] as const).filter((role) => features.some((feature) => feature.role === role))
  for (const [at, role] of roles.entries()) {
    const { colour, opacity } = mapFeatureColours[role]
    const top = y + 15 * at
    pdf.lineWidth(1).rect(x, top, 14, 9).fillOpacity(opacity).fillAndStroke(colour, colour).fillOpacity(1)
    text.write(role === 'area' ? 'Monitored area' : legend, { x: x + 20, y: top }, reportTextStyles.label, {
      width: width - 20,
    })
  }
}

const bar_lengths_km = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]
const max_bar_width = 110

/** The scale holds in the middle of the map. */
function drawScaleBar({ pdf, text }: ReportPages, { projection, box }: ReportMapView, side: PageBox): void {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const km = geoDistance(projection.invert!([x, y])!, projection.invert!([x + 10, y])!) * earth_radius_km
  const points_per_km = 10 / km
  const length_km = bar_lengths_km.find((length) => length * points_per_km <= max_bar_width) ?? 0.1
  const width = length_km * points_per_km
  const base = box.y + box.height - 15
  pdf
    .moveTo(side.x, base - 4)
    .lineTo(side.x, base)
    .lineTo(side.x + width, base)
    .lineTo(side.x + width, base - 4)
  pdf.lineWidth(1).stroke(reportColours.text)
  const label = length_km < 1 ? `${length_km * 1000} m` : `${length_km} km`
  text.write(label, { x: side.x, y: base - 14 }, reportTextStyles.label)
  text.write('Scale at the centre of the map', { x: side.x, y: base + 4 }, reportTextStyles.label, {
    width: side.width,
  })
}

/** A small map with the frame of the large one. */
async function drawOverview(pages: ReportPages, small: PageBox, { projection, box }: ReportMapView): Promise<void> {
  const { pdf } = pages
  const centre = projection.invert!([box.x + box.width / 2, box.y + box.height / 2])!
  const corner = projection.invert!([box.x, box.y])!
  const overview = geoMercator().rotate([-centre[0], 0]).clipExtent(toProjectionExtent(small))
  const latitude = Math.min(Math.max(centre[1], -70), 70)
  overview.scale((small.width / 2 / overview_degrees) * (180 / Math.PI)).translate([0, 0])
  const [x, y] = overview([centre[0], latitude])!
  overview.translate([small.x + small.width / 2 - x, small.y + small.height / 2 - y])
  drawReportBaseMap(pages, createPdfMapPath(pdf, overview), small, await readReportBaseMap('110m'))
  const [left, top] = overview(corner)!
  const [cx, cy] = overview(centre)!
  const [half_width, half_height] = [Math.max(cx - left, 2), Math.max(cy - top, 2)]
  pdf
    .lineWidth(1)
    .rect(cx - half_width, cy - half_height, 2 * half_width, 2 * half_height)
    .stroke(reportColours.second)
  pdf.restore()
  drawReportMapFrame(pages, small)
}

const map_height = 250
const side_width = 120
const side_gap = 10
const max_labels = 12
const max_label_width = 150
/** A feature with less width and height is drawn as a point, because nobody would see it. */
const min_feature_size = 5
/** Wider maps show the land at the scale of continents. */
const detailed_degrees = 60

/** Draws the map of the features with its graticule; its scale, legend and an overview of where it lies are beside it. */
export async function drawReportMap(pages: ReportPages, map: ReportMap): Promise<void> {
  const features = map.features.map(rewindFeatureRings)
  if (features.length === 0) return
  pages.reserve(map_height + 40)
  pages.text.write(map.title, { x: reportPageSize.left, y: pages.y }, reportTextStyles.heading)
  pages.y += 20
  const width = reportPageSize.right - reportPageSize.left - side_width - side_gap
  const view = fitReportMapView({ x: reportPageSize.left, y: pages.y, width, height: map_height }, features)
  const isDetailed = view.width_degrees <= detailed_degrees
  drawReportBaseMap(
    pages,
    createPdfMapPath(pages.pdf, view.projection),
    view.box,
    await readReportBaseMap(isDetailed ? '50m' : '110m'),
  )
  drawGraticule(pages, view)
  drawFeatures(pages, view, features, map)
  drawLabels(pages, view, features, map)
  pages.pdf.restore()
  drawReportMapFrame(pages, view.box)
  await drawMapSide(pages, view, map, { ...view.box, x: reportPageSize.right - side_width, width: side_width })
  pages.y += view.box.height + 6
  const note = map.omitted > 0 ? ` ${map.omitted} more are not drawn.` : ''
  pages.text.write(
    `Land and borders: Natural Earth, 1:${isDetailed ? 50 : 110} million; ${view.projection_name} projection.${note}`,
    { x: reportPageSize.left, y: pages.y },
    reportTextStyles.label,
  )
  pages.y += 20
}

/** Steps of meridians and parallels, in degrees. */
const graticule_steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
const lines_across = 3

function drawGraticule({ pdf, text }: ReportPages, { projection, box, west, width_degrees }: ReportMapView): void {
  const x = box.x + box.width / 2
  const top = projection.invert!([x, box.y])![1]
  const bottom = projection.invert!([x, box.y + box.height])![1]
  const step = graticule_steps.find((degrees) => width_degrees / degrees >= lines_across) ?? 0.01
  const graticule = geoGraticule()
    .step([step, step])
    .extent([
      [Math.floor((west - step) / step) * step, Math.max(Math.floor(bottom / step - 1) * step, -85)],
      [Math.floor((west + width_degrees) / step + 1) * step, Math.min(Math.ceil(top / step + 1) * step, 85)],
    ])
  createPdfMapPath(pdf, projection)(graticule())
  pdf.lineWidth(0.4).strokeOpacity(0.5).stroke(reportColours.coast).strokeOpacity(1)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  for (let at = Math.ceil(west / step) * step; at < west + width_degrees; at += step) {
    const left = box.x + ((at - west) / width_degrees) * box.width
    const label = formatDegrees(((((at + 180) % 360) + 360) % 360) - 180, ['E', 'W'], digits)
    if (left < box.x + box.width - 34)
      text.write(label, { x: left + 2, y: box.y + box.height - 11 }, reportTextStyles.label)
  }
  for (let at = Math.ceil(bottom / step) * step; at < top; at += step) {
    const y = projection([west + width_degrees / 2, at])![1] - 9
    if (y > box.y + 1 && y < box.y + box.height - 23)
      text.write(formatDegrees(at, ['N', 'S'], digits), { x: box.x + 3, y }, reportTextStyles.label)
  }
}

/** Zero and 180 degrees are on neither side. */
function formatDegrees(degrees: number, [positive, negative]: readonly [string, string], digits: number): string {
  const shown = Math.abs(degrees).toFixed(digits)
  const side = Number(shown) === 0 || Number(shown) === 180 ? '' : degrees > 0 ? positive : negative
  return `${shown}°${side}`
}

function drawFeatures({ pdf }: ReportPages, view: ReportMapView, features: readonly Feature[], map: ReportMap): void {
  const path = createPdfMapPath(pdf, view.projection)
  for (const [at, feature] of features.entries()) {
    const { colour, opacity, line_width } = mapFeatureColours[map.features[at]!.role]
    const { left, right, top, bottom } = boundsOf(view, feature)
    const isSmall = right - left < min_feature_size && bottom - top < min_feature_size
    if (isSmall) pdf.circle((left + right) / 2, (top + bottom) / 2, min_feature_size / 2)
    else path(feature)
    pdf.lineWidth(line_width).fillOpacity(isSmall ? 1 : opacity)
    pdf.fillAndStroke(colour, colour).fillOpacity(1)
  }
}

/** The bounds of a feature on the page, in points. */
function boundsOf({ projection }: ReportMapView, feature: Feature) {
  const [[left, top], [right, bottom]] = geoPath(projection).bounds(feature)
  return { left, right, top, bottom }
}

/** Labels are in the middle of features that are wide enough for them, and below others; none covers another one. */
function drawLabels(
  { pdf, text }: ReportPages,
  view: ReportMapView,
  features: readonly Feature[],
  { features: labelled }: ReportMap,
): void {
  const { box } = view
  const seen = new Set<string>()
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = []
  for (const [at, feature] of features.entries().toArray().toReversed()) {
    const { label } = labelled[at]!
    if (label === null || seen.has(label) || seen.size >= max_labels) continue
    const { left, right, top, bottom } = boundsOf(view, feature)
    if (!Number.isFinite(left + right + top + bottom)) continue
    const width = Math.min(text.widthOf(label, labelStyle), max_label_width)
    const isInside = right - left > width + 4 && bottom - top > 14
    const x = Math.min(Math.max((left + right - width) / 2, box.x + 2), box.x + box.width - width - 2)
    const y = isInside ? (top + bottom) / 2 - 5 : bottom + 14 > box.y + box.height ? top - 13 : bottom + 3
    if (taken.some((other) => Math.abs(other.y - y) < 12 && x < other.x + other.width && other.x < x + width)) continue
    pdf
      .rect(x - 1, y - 1, width + 2, 12)
      .fillOpacity(0.6)
      .fill('#ffffff')
      .fillOpacity(1)
    text.write(label, { x, y }, labelStyle, { width })
    taken.push({ x, y, width })
    seen.add(label)
  }
}

const labelStyle = { size: 9, weight: 700, colour: reportColours.text } as const
