import { escapeXml } from './escape-xml.ts'

/** A layer of tiles. */
export interface QgisTileLayer {
  readonly id: string
  readonly name: string
  /** The template with `{z}`, `{x}` and `{y}`, and with its token. */
  readonly tiles: string
  readonly maxzoom: number
}

/** Characters that QGIS leaves as they are, when it stores a URL: an encoded `?` would become part of the path. */
const kept = /%(?:3A|2F|3F)/g

/**
 * The source of a layer as QGIS's provider of WMS reads it: its parameters, of which the URL is encoded once more. From zoom level 0:
 * below its smallest level QGIS would draw hundreds of tiles of that level, and the server has the others, too.
 */
export function formatTileSource({ tiles, maxzoom }: Omit<QgisTileLayer, 'id' | 'name'>): string {
  const url = encodeURIComponent(tiles).replaceAll(kept, decodeURIComponent)
  return `type=xyz&zmin=0&zmax=${maxzoom}&url=${url}`
}

/** A layer definition of QGIS: a group of layers, which a person drags onto the map. */
export function printLayerDefinition(group: string, layers: readonly QgisTileLayer[]): string {
  const nodes = layers.map((layer) => `      ${printNode(layer)}`).join('\n')
  return `<!DOCTYPE qgis-layer-definition>
<qlr>
  <layer-tree-group name="" expanded="1" checked="Qt::Checked">
    <layer-tree-group name="${escapeXml(group)}" expanded="1" checked="Qt::Checked">
${nodes}
    </layer-tree-group>
  </layer-tree-group>
  <maplayers>
${layers.map(printLayer).join('\n')}
  </maplayers>
</qlr>
`
}

/** Ids of layers begin with a letter, and have neither spaces nor braces. */
const layerIdOf = ({ id }: QgisTileLayer): string => `swath_${id.replaceAll(/\W/g, '_')}`

const printNode = (layer: QgisTileLayer): string =>
  `<layer-tree-layer id="${layerIdOf(layer)}" name="${escapeXml(layer.name)}" source="${escapeXml(formatTileSource(layer))}" providerKey="wms" expanded="0" checked="Qt::Checked"/>`

const printLayer = (layer: QgisTileLayer): string => `    <maplayer type="raster">
      <id>${layerIdOf(layer)}</id>
      <datasource>${escapeXml(formatTileSource(layer))}</datasource>
      <layername>${escapeXml(layer.name)}</layername>
      <provider>wms</provider>
      <pipe>
        <rasterrenderer type="singlebandcolordata" band="1" opacity="1" alphaBand="-1" nodataColor=""/>
      </pipe>
      <srs>
        <spatialrefsys>
          <authid>EPSG:3857</authid>
        </spatialrefsys>
      </srs>
    </maplayer>`
