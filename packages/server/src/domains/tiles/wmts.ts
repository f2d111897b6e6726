import { limits } from '@swath/contract/limits.ts'
import { clampLatitude, degreesToMetres, web_mercator_extent_m } from '@swath/geo/web-mercator.ts'
import type { TileJsonExtent } from './zoom.ts'

/** The only tile matrix set, by its name in OGC 07-057r7, annex E.4. */
export const wmtsTileMatrixSet = 'GoogleMapsCompatible'
export const wmtsDefaultStyle = 'default'
const crs = 'urn:ogc:def:crs:EPSG::3857'
const wellKnownScaleSet = 'urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible'
const tile_pixels = 256
/** The scale denominator of level 0, for pixels of 0.28 mm. */
const scaleDenominatorOfLevel0 = (2 * web_mercator_extent_m) / tile_pixels / 0.000_28

/** The only layer of a service. */
export interface WmtsLayer {
  readonly id: string
  readonly title: string
  readonly abstract: string | null
  readonly range: TileJsonExtent
  /** The KVP URL of GetCapabilities and GetTile, ending in `?` or `&`. */
  readonly kvp: string
  /** The template of a format, with `{TileMatrix}`, `{TileRow}` and `{TileCol}`. */
  readonly template: (extension: string) => string
}

const formats = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const

/**
 * The capabilities of a WMTS 1.0.0 service (OGC 07-057r7) with one layer in EPSG:3857, with KVP and RESTful encodings.
 * Levels end where a tile pixel is no larger than an image pixel.
 */
export const renderWmtsCapabilities = (layer: WmtsLayer): string => `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">
<ows:ServiceIdentification>
<ows:Title>${escapeXml(layer.title)}</ows:Title>
<ows:ServiceType>OGC WMTS</ows:ServiceType>
<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
</ows:ServiceIdentification>
<ows:OperationsMetadata>
${['GetCapabilities', 'GetTile'].map((name) => operationXml(name, layer.kvp)).join('\n')}
</ows:OperationsMetadata>
<Contents>
${layerXml(layer)}
${tileMatrixSetXml(layer.range)}
</Contents>
</Capabilities>
`

const operationXml = (name: string, url: string): string =>
  `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeXml(url)}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>`

function layerXml({ id, title, abstract, range, template }: WmtsLayer): string {
  const [west, south, east, north] = range.bounds
  const [left, bottom] = degreesToMetres(west, clampLatitude(south))
  const [right, top] = degreesToMetres(east, clampLatitude(north))
  const resources = Object.entries(formats).map(
    ([extension, media_type]) =>
      `<ResourceURL format="${media_type}" resourceType="tile" template="${escapeXml(template(extension))}"/>`,
  )
  return [
    '<Layer>',
    `<ows:Title>${escapeXml(title)}</ows:Title>`,
    ...(abstract === null ? [] : [`<ows:Abstract>${escapeXml(abstract)}</ows:Abstract>`]),
    `<ows:WGS84BoundingBox>${cornersXml(west, south, east, north)}</ows:WGS84BoundingBox>`,
    `<ows:Identifier>${escapeXml(id)}</ows:Identifier>`,
    `<ows:BoundingBox crs="${crs}">${cornersXml(left, bottom, right, top)}</ows:BoundingBox>`,
    `<Style isDefault="true"><ows:Identifier>${wmtsDefaultStyle}</ows:Identifier></Style>`,
    ...Object.values(formats).map((media_type) => `<Format>${media_type}</Format>`),
    // Without TileMatrixSetLimits: some OGC schemas allow no row or column 0 in them, and the bounding box is equivalent.
    `<TileMatrixSetLink><TileMatrixSet>${wmtsTileMatrixSet}</TileMatrixSet></TileMatrixSetLink>`,
    ...resources,
    '</Layer>',
  ].join('\n')
}

const cornersXml = (left: number, bottom: number, right: number, top: number): string =>
  `<ows:LowerCorner>${left} ${bottom}</ows:LowerCorner><ows:UpperCorner>${right} ${top}</ows:UpperCorner>`

const listLevels = ({ maxzoom }: TileJsonExtent): number[] =>
  Array.from({ length: Math.min(maxzoom, limits.max_zoom) + 1 }, (_, z) => z)

const tileMatrixSetXml = (range: TileJsonExtent): string =>
  [
    '<TileMatrixSet>',
    `<ows:Identifier>${wmtsTileMatrixSet}</ows:Identifier>`,
    `<ows:SupportedCRS>${crs}</ows:SupportedCRS>`,
    `<WellKnownScaleSet>${wellKnownScaleSet}</WellKnownScaleSet>`,
    ...listLevels(range).map(
      (z) =>
        `<TileMatrix><ows:Identifier>${z}</ows:Identifier><ScaleDenominator>${scaleDenominatorOfLevel0 / 2 ** z}</ScaleDenominator><TopLeftCorner>${-web_mercator_extent_m} ${web_mercator_extent_m}</TopLeftCorner><TileWidth>${tile_pixels}</TileWidth><TileHeight>${tile_pixels}</TileHeight><MatrixWidth>${2 ** z}</MatrixWidth><MatrixHeight>${2 ** z}</MatrixHeight></TileMatrix>`,
    ),
    '</TileMatrixSet>',
  ].join('\n')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 cannot express, even escaped, are removed. */
const invalidXmlCharacters = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escapeXml = (text: string): string =>
  text.replaceAll(invalidXmlCharacters, '').replaceAll(/[&<>"]/g, (character) => entities[character]!)
