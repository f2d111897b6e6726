import { geoDistance, geoMercator } from 'd3-geo'
import { readBaseMap } from './base-map.ts'
import { createMapPath, drawBaseMap, drawMapFrame, featureColours } from './map-path.ts'
import { extentOf, type ReportMapView } from './map-view.ts'
import type { ReportMap } from './report-document.ts'
import { colours, styles, type Box, type ReportPages } from './report-page.ts'

const overview_height = 84
/** Half the width of the overview, in degrees. */
const overview_degrees = 18
const earth_radius_km = 6371.0088

/** Beside a map: where it lies, what its colours mean, and its scale. Nothing of it covers the map. */
export async function drawMapSide(pages: ReportPages, view: ReportMapView, map: ReportMap, side: Box): Promise<void> {
  const hasOverview = view.width_degrees <= overview_degrees
  if (hasOverview) await drawOverview(pages, { ...side, height: overview_height }, view)
  drawLegend(pages, map, { ...side, y: side.y + (hasOverview ? overview_height + 12 : 0) })
  drawScaleBar(pages, view, side)
}

function drawLegend({ pdf, text }: ReportPages, { features, legend }: ReportMap, { x, y, width }: Box): void {
  const roles = (['area', 'footprint'] as const).filter((role) => features.some((feature) => feature.role === role))
  for (const [at, role] of roles.entries()) {
    const { colour, opacity } = featureColours[role]
    const top = y + 15 * at
    pdf.lineWidth(1).rect(x, top, 14, 9).fillOpacity(opacity).fillAndStroke(colour, colour).fillOpacity(1)
    text.write(role === 'area' ? 'Monitored area' : legend, { x: x + 20, y: top }, styles.label, { width: width - 20 })
  }
}

const bar_lengths_km = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]
const max_bar_width = 110

/** The scale holds in the middle of the map. */
function drawScaleBar({ pdf, text }: ReportPages, { projection, box }: ReportMapView, side: Box): void {
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
  pdf.lineWidth(1).stroke(colours.text)
  const label = length_km < 1 ? `${length_km * 1000} m` : `${length_km} km`
  text.write(label, { x: side.x, y: base - 14 }, styles.label)
  text.write('Scale at the centre of the map', { x: side.x, y: base + 4 }, styles.label, { width: side.width })
}

/** A small map with the frame of the large one. */
async function drawOverview(pages: ReportPages, small: Box, { projection, box }: ReportMapView): Promise<void> {
  const { pdf } = pages
  const centre = projection.invert!([box.x + box.width / 2, box.y + box.height / 2])!
  const corner = projection.invert!([box.x, box.y])!
  const overview = geoMercator().rotate([-centre[0], 0]).clipExtent(extentOf(small))
  const latitude = Math.min(Math.max(centre[1], -70), 70)
  overview.scale((small.width / 2 / overview_degrees) * (180 / Math.PI)).translate([0, 0])
  const [x, y] = overview([centre[0], latitude])!
  overview.translate([small.x + small.width / 2 - x, small.y + small.height / 2 - y])
  drawBaseMap(pages, createMapPath(pdf, overview), small, await readBaseMap('110m'))
  const [left, top] = overview(corner)!
  const [cx, cy] = overview(centre)!
  const [half_width, half_height] = [Math.max(cx - left, 2), Math.max(cy - top, 2)]
  pdf
    .lineWidth(1)
    .rect(cx - half_width, cy - half_height, 2 * half_width, 2 * half_height)
    .stroke(colours.second)
  pdf.restore()
  drawMapFrame(pages, small)
}
