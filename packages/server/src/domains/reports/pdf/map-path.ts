import { geoPath, type GeoPath, type GeoProjection } from 'd3-geo'
import type { ReportBaseMap } from './base-map.ts'
import { reportColours, type PageBox, type ReportPages } from './report-page.ts'

/** The fill and outline of features, by their role. */
export const mapFeatureColours = {
  area: { colour: reportColours.second, opacity: 0.12, line_width: 1.6 },
  footprint: { colour: reportColours.accent, opacity: 0.16, line_width: 0.8 },
} as const

/** Paths of the projection that are drawn into the PDF. */
export function createPdfMapPath(pdf: PDFKit.PDFDocument, projection: GeoProjection): GeoPath {
  return geoPath(projection, {
    beginPath: () => undefined,
    moveTo: (x, y) => void pdf.moveTo(x, y),
    lineTo: (x, y) => void pdf.lineTo(x, y),
    arc: (x, y, radius) => void pdf.circle(x, y, radius),
    closePath: () => void pdf.closePath(),
  }).pointRadius(2.5)
}

/** Begins to draw inside of a box; `restore` of the document ends it. */
export function drawReportBaseMap(
  { pdf }: ReportPages,
  path: GeoPath,
  box: PageBox,
  { land, borders }: ReportBaseMap,
): void {
  pdf.save()
  pdf.rect(box.x, box.y, box.width, box.height).clip()
  pdf.rect(box.x, box.y, box.width, box.height).fill(reportColours.water)
  path(land)
  pdf.lineWidth(0.5).fillAndStroke(reportColours.land, reportColours.coast)
  path(borders)
  pdf.lineWidth(0.5).dash(2, { space: 2 }).stroke(reportColours.coast).undash()
}

export function drawReportMapFrame({ pdf }: ReportPages, { x, y, width, height }: PageBox): void {
  pdf.lineWidth(0.8).rect(x, y, width, height).stroke(reportColours.coast)
}
