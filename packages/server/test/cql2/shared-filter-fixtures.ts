import { after, before } from 'node:test'
import {
  openFilterFixtures,
  readFeatures,
  readRecords,
  type FixtureItem,
  type FilterFixtures,
} from './filter-fixtures.ts'
import { ownItems } from './own-items.ts'
import { geometryItems, trackItems, variedGeometries } from './geometry-items.ts'

export const standardLayers = [
  'ne_110m_admin_0_countries',
  'ne_110m_populated_places_simple',
  'ne_110m_rivers_lake_centerlines',
] as const

/** Items for random filters, with polygons, lines and geometry collections. */
const variedItems: readonly FixtureItem[] = ownItems.map((item, index) => ({
  ...item,
  stac_id: item.stac_id.replace('own', 'varied'),
  geometry: variedGeometries[index % 5] ?? item.geometry,
}))

let openedFixtures: FilterFixtures | undefined

/** The database of all filter tests, opened before the first one. */
export const getFilterFixtures = (): FilterFixtures => openedFixtures!

before(async () => {
  const standard = await Promise.all(standardLayers.map(async (name) => [name, await readFeatures(name)] as const))
  openedFixtures = await openFilterFixtures({
    ...Object.fromEntries(standard),
    records: await readRecords(),
    own: ownItems,
    varied: variedItems,
    shapes: geometryItems,
    tracks: trackItems,
  })
  await openedFixtures.services.database.runScript(`create table canary (id integer); insert into canary values (1);
    grant select on canary to swath_across`)
})
after(() => openedFixtures?.close())
