import { after, before } from 'node:test'
import { openLayers, readLayer, readRecords, type LayerItem, type Layers } from './layers.ts'
import { ownItems } from './own-items.ts'
import { shapeItems, variedShapes } from './shape-items.ts'

export const standardLayers = [
  'ne_110m_admin_0_countries',
  'ne_110m_populated_places_simple',
  'ne_110m_rivers_lake_centerlines',
] as const

/** Items for random filters, with polygons, lines and geometry collections. */
const varied: readonly LayerItem[] = ownItems.map((item, index) => ({
  ...item,
  stac_id: item.stac_id.replace('own', 'varied'),
  geometry: variedShapes[index % 5] ?? item.geometry,
}))

let opened: Layers | undefined

/** The database of all filter tests, opened before the first one. */
export const layers = (): Layers => opened!

before(async () => {
  const standard = await Promise.all(standardLayers.map(async (name) => [name, await readLayer(name)] as const))
  opened = await openLayers({
    ...Object.fromEntries(standard),
    records: await readRecords(),
    own: ownItems,
    varied,
    shapes: shapeItems,
  })
  await opened.house.database.runScript(`create table canary (id integer); insert into canary values (1);
    grant select on canary to swath_across`)
})
after(() => opened?.close())
